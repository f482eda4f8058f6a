import type { AnyInput, Client, ItemBody, ListBody, RouteName } from '@watchpost/contract'

/** Calls a route that answers one thing; which thing, the caller knows with the route. */
export function sendForItem<Row>(client: Client, route: RouteName, input: AnyInput): Promise<ItemBody<Row>> {
  return (client[route] as unknown as (input: AnyInput) => Promise<ItemBody<Row>>)(input)
}

/** Calls a route that answers a page of things. */
export function sendForList<Row>(client: Client, route: RouteName, input: AnyInput): Promise<ListBody<Row>> {
  return (client[route] as unknown as (input: AnyInput) => Promise<ListBody<Row>>)(input)
}
