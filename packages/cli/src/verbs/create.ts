import { type Route, type RouteName, routes } from '@watchpost/contract'
import type { Option } from 'commander'
import type { Call, Verb } from '../command.ts'
import { type Flag, flagsOf } from '../flags.ts'
import { UsageError } from '../usage-error.ts'
import type { View } from '../view.ts'
import { type Body, fieldsOf, fileOption, readBody, requireFields } from './body.ts'
import { sendForItem } from './send.ts'

export interface CreatePlan<Row> {
  name?: string
  route: RouteName
  view: View<Row>
  summary: string
  examples: string[]
  /** Field of the answer that is never shown again; null where there is nothing to keep. */
  secret?: keyof Row & string
  /** Whether what is made by this body has that secret; if absent, it always has. */
  hasSecret?: (body: Body) => boolean
  /** Instead of the properties of the route's body. */
  flags?: () => Flag[]
  /** What is sent, from what was given. */
  body?: (body: Body, given: Record<string, unknown>) => Body
  options?: () => Option[]
  /** Before anything is sent: what else may be wrong. */
  check?: (call: Call) => void
  /** After it is made: what is shown, and the exit code. */
  afterwards?: (made: Row, call: Call) => Promise<{ shown: Row; code?: number }>
}

/** `create`: the properties of the route's body are its flags. */
export function createVerb<Row extends object>(plan: CreatePlan<Row>): Verb {
  return {
    name: plan.name ?? 'create',
    summary: plan.summary,
    flags: plan.flags ?? (() => flagsOf((routes[plan.route] as Route).body)),
    options: () => [fileOption(), ...(plan.options?.() ?? [])],
    examples: plan.examples,
    async run(call) {
      const { session, given, flags } = call
      const { out } = session
      plan.check?.(call)
      const fields = await readBody(flags, given, session.io, fieldsOf(plan.route))
      const body = plan.body?.(fields, given) ?? fields
      if (plan.secret !== undefined && out.format === 'name' && plan.hasSecret?.(body) !== false) {
        throw new UsageError(`--output: name would lose the ${plan.secret}, which is shown only now; use json`)
      }
      requireFields(flags, body)
      const { data, message } = await sendForItem<Row>(session.client, plan.route, { body })
      if (out.format === 'table') out.note(`${message}.`)
      const { shown, code } = (await plan.afterwards?.(data, call)) ?? { shown: data }
      await out.item(shown, plan.view)
      if (plan.secret !== undefined && data[plan.secret] !== null && out.format === 'table') {
        out.note(`Keep the ${plan.secret} now: this is the only time it is shown.`)
      }
      return code
    },
  }
}
