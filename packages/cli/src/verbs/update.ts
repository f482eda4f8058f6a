import { type Route, type RouteName, routes } from '@watchpost/contract'
import type { Option } from 'commander'
import type { Call, Verb } from '../command.ts'
import { type Flag, flagsOf } from '../flags.ts'
import type { Session } from '../session.ts'
import { UsageError } from '../usage-error.ts'
import type { View } from '../view.ts'
import { type Body, fieldsOf, fileOption, isObject, readBody } from './body.ts'
import { idOf } from './id.ts'
import { sendForItem } from './send.ts'

export interface UpdatePlan<Row> {
  /** The PATCH route. */
  route: RouteName
  /** Reads the thing, for the maps of which a flag names only a part; not needed where there are none. */
  read?: RouteName
  view: View<Row>
  /** Instead of the properties of the route's body. */
  flags?: () => Flag[]
  /** What is sent, from what was given. */
  body?: (body: Body, given: Record<string, unknown>) => Body
  options?: () => Option[]
  summary: string
  examples: string[]
  /** Before anything is sent: what else may be wrong. */
  check?: (call: Call) => void
}

/** `update ID`: changes what is given, and nothing else. */
export function updateVerb<Row extends object>(plan: UpdatePlan<Row>): Verb {
  return {
    name: 'update',
    summary: plan.summary,
    description: `${plan.summary}. What is not given stays; --option key=null takes a key out.`,
    words: [['<ID>', `id of the ${plan.view.singular}`]],
    flags: plan.flags ?? (() => flagsOf((routes[plan.route] as Route).body)),
    options: () => [fileOption(), ...(plan.options?.() ?? [])],
    examples: plan.examples,
    async run(call) {
      const { session, words, given, flags } = call
      plan.check?.(call)
      const id = idOf(words[0])
      const fields = await readBody(flags, given, session.io, fieldsOf(plan.route))
      const body = plan.body?.(fields, given) ?? fields
      if (Object.keys(body).length === 0) {
        throw new UsageError(`nothing to change: give a field, such as ${flags[0]?.name}, or -f FILE`)
      }
      const partial = flags.filter(
        flag => flag.kind === 'map' && isObject(body[flag.field]) && given.file === undefined,
      )
      const full =
        partial.length === 0 || plan.read === undefined ? body : await completed(body, partial, session, plan.read, id)
      const { data, message } = await sendForItem<Row>(session.client, plan.route, { params: { id }, body: full })
      if (session.out.format === 'table') session.out.note(`${message}.`)
      await session.out.item(data, plan.view)
      const { managed_by: source } = data as { managed_by?: unknown }
      if (session.out.format === 'table' && typeof source === 'string') {
        session.out.note(`It is managed by "${source}": change its files, too, or the next apply of them undoes this.`)
      }
    },
  }
}

/** PATCH replaces a map as a whole; a flag that sets one key of it must not lose the others. */
async function completed(body: Body, maps: Flag[], session: Session, read: RouteName, id: number): Promise<Body> {
  const { data } = await sendForItem<Body>(session.client, read, { params: { id } })
  const full = { ...body }
  for (const { field } of maps) {
    const merged = { ...(data[field] as Body | undefined), ...(body[field] as Body) }
    full[field] = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
  }
  return full
}
