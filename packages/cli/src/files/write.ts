import type { Resources } from '@watchpost/contract'
import { Output } from '../output.ts'
import type { Session } from '../session.ts'
import { isObject } from '../verbs/body.ts'
import { escapeVariables } from './variables.ts'

/** Writes things as a file that can be applied: YAML for people, JSON where that is asked for. */
/** @param keepsVariables `${NAME}` in it is one already */
export async function writeResources(
  session: Session,
  resources: Resources,
  head: string[],
  keepsVariables = false,
): Promise<void> {
  const { io, out } = session
  const escaped = keepsVariables ? resources : escapeAll(resources)
  if (out.format === 'json') return out.serialise(escaped)
  const yaml = new Output(io, 'yaml', false)
  yaml.document(head.map(line => `# ${line}\n`).join(''))
  await yaml.serialise(escaped)
}

/** `${` in a name on the server is no variable. */
function escapeAll(value: unknown): unknown {
  if (typeof value === 'string') return escapeVariables(value)
  if (Array.isArray(value)) return value.map(escapeAll)
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeAll(each)]))
    : value
}
