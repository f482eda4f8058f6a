import { ApiError, type CheckTypeName, checkTypes } from '@watchpost/contract'
import type { Session } from '../session.ts'
import { isPassing } from '../watch/poll.ts'
import { typeFor } from './guess.ts'

/**
 * What the server would say of a target, before anything else is asked; it makes nothing.
 * @param type of which it is to be; any one will do where it is not known yet
 * @returns undefined for one that it takes, or where it cannot say now
 */
export async function targetFault(
  target: string,
  type: CheckTypeName | undefined,
  session: Session,
): Promise<string | undefined> {
  const types = type === undefined ? checkTypes : [type]
  const monitors = types.map(each => ({ name: `A new ${each}`, type: each, target }))
  try {
    await session.oneRound().planResources({ body: { resources: { monitors } } as never })
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'validation_failed') {
      // The route is younger than others; who may make nothing is told so now.
      if (isPassing(error) || (error instanceof ApiError && error.code === 'not_found')) return undefined
      throw error
    }
    const faults = types.map((_, index) => error.errors[`resources.monitors.${index}.target`])
    if (faults.includes(undefined)) return undefined
    return faults[types.length === 1 ? 0 : types.indexOf(typeFor(target))]
  }
}
