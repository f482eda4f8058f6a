import type { Client, ListMeta, RouteName } from '@watchpost/contract'
import { sendForList } from './send.ts'

/** Every item of a list, page after page. */
export async function allPages<Row>(
  client: Client,
  route: RouteName,
  input: { params?: Record<string, number>; query?: Record<string, unknown> } = {},
): Promise<{ data: Row[]; meta: ListMeta }> {
  const data: Row[] = []
  for (let page = 1; ; page++) {
    const body = await sendForList<Row>(client, route, { ...input, query: { per_page: 100, ...input.query, page } })
    data.push(...body.data)
    if (page >= body.meta.total_pages || body.data.length === 0) {
      return { data, meta: { total: data.length, page: 1, per_page: Math.max(1, data.length), total_pages: 1 } }
    }
  }
}
