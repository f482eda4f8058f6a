import { validateCheck } from '@watchpost/checks/validate'
import {
  ApiError,
  type CheckOutcome,
  type CheckTypeName,
  checkTypes,
  type FieldErrors,
  type MonitorTest,
} from '@watchpost/contract'
import type { Context } from '../context.ts'
import { withDefaults } from '../domain/monitor-settings.ts'
import { mustStayOutside } from '../domain/private-target.ts'
import { refusePrivate } from './monitor-change.ts'

/** Faults of what is to be tried, of which no schema can tell. */
export function testErrors({ type, target, options }: Partial<MonitorTest>): FieldErrors {
  // A type or target that is missing or of another shape is told by the schema.
  if (!checkTypes.includes(type as CheckTypeName) || typeof target !== 'string' || target === '') return {}
  return validateCheck({ type: type as CheckTypeName, target, options: options ?? {} })
}

/** Has the probe beside this server look at a target once, as a monitor of this team would be looked at. */
export async function testTarget(context: Context, team_id: number, body: MonitorTest): Promise<CheckOutcome> {
  const { type, target, timeout, method, ssl_verify, options } = withDefaults({ name: body.target, ...body })
  refusePrivate(context, team_id, withDefaults({ name: body.target, ...body }))
  if (context.look === undefined) {
    throw new ApiError('unavailable', 'No probe runs beside this server; save the monitor, and a probe looks at once')
  }
  const outside = mustStayOutside(team_id, context.config.registration)
  const check = { type: type as CheckTypeName, target, timeout, method, ssl_verify, options }
  return context.look(team_id, check, outside ? 'deny' : 'allow')
}
