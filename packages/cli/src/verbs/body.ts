import { readFileSync } from 'node:fs'
import { type RouteName, resourceKinds, routes } from '@watchpost/contract'
import { Option } from 'commander'
import { type Flag, valuesOf } from '../flags.ts'
import type { Io } from '../io.ts'
import { suggestionFor } from '../suggestion.ts'
import { UsageError, wrongFlags } from '../usage-error.ts'

export type Body = Record<string, unknown>

export function fileOption(): Option {
  return new Option('-f, --file <file>', 'fields as YAML or JSON, - for standard input; flags override').helpGroup(
    'Fields:',
  )
}

/**
 * The body of a request: the file's fields, with those given as flags over them.
 * @param others fields that the file may have and no flag sets
 * @throws {UsageError} naming flags that cannot be read, and fields of the file that there are none of
 */
export async function readBody(
  flags: Flag[],
  given: Record<string, unknown>,
  io: Io,
  others: readonly string[] = [],
): Promise<Body> {
  const { values, wrong } = valuesOf(flags, given)
  if (Object.keys(wrong).length > 0) throw wrongFlags(wrong)
  if (typeof given.file !== 'string') return values
  const inFile = await readFields(given.file, io)
  requireKnown(given.file, inFile, [...flags.map(({ field }) => field), ...others])
  return mergeMaps(inFile, values, flags)
}

/** Fields of a route's body, whether or not flags set them. */
export const fieldsOf = (route: RouteName): string[] =>
  Object.keys((routes[route] as { body?: { properties?: object } }).body?.properties ?? {})

function requireKnown(path: string, inFile: Body, known: string[]): void {
  const strange = Object.keys(inFile).filter(field => !known.includes(field))
  if (strange.length === 0) return
  const file = called(path)
  const isHeading = (field: string) => {
    const held = inFile[field] ?? []
    return resourceKinds.some(kind => kind === field) && Array.isArray(held) && held.every(isObject)
  }
  const headings = strange.filter(isHeading)
  if (headings.length > 0) {
    throw new UsageError(
      `${file}: has headings (${headings.join(', ')}), which "monitorctl apply -f ${path}" understands; ` +
        `here the fields of one thing are asked for, such as "${known[0]}"`,
    )
  }
  const [only = ''] = strange
  if (strange.length === 1) {
    throw new UsageError(`${file}: there is no field "${only}"${suggestionFor(only, known)}`)
  }
  const said = strange.map(field => [field, suggestionFor(field, known).replace('; ', '') || 'unknown'])
  throw new UsageError(`${strange.length} fields of ${file} are unknown`, Object.fromEntries(said))
}

/** Says at once, by the names of the flags, what the server would miss. */
export function requireFields(flags: Flag[], body: Body): void {
  const missing = flags.filter(flag => flag.required && body[flag.field] === undefined)
  if (missing.length > 0) throw wrongFlags(Object.fromEntries(missing.map(flag => [flag.name, 'is required'])))
}

/** `--option k=v` sets one key and leaves the others. */
export function mergeMaps(under: Body, over: Body, flags: Flag[]): Body {
  const merged = { ...under, ...over }
  for (const { field, kind } of flags) {
    if (kind === 'map' && isObject(under[field]) && isObject(over[field])) {
      merged[field] = { ...under[field], ...over[field] }
    }
  }
  return merged
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text of a file, or of standard input for `-`. */
export async function readSource(path: string, io: Io): Promise<string> {
  // Loaded by whoever reads from a pipe.
  if (path === '-') return (await import('node:stream/consumers')).text(io.stdin)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const called = (path: string): string => (path === '-' ? 'standard input' : path)

async function readFields(path: string, io: Io): Promise<Body> {
  const text = await readSource(path, io)
  const { parseAllDocuments } = await import('yaml')
  let values: unknown[]
  try {
    // JSON is YAML, too. Aliases that multiply are refused by the library.
    const documents = parseAllDocuments(text, { prettyErrors: true })
    values = (Array.isArray(documents) ? documents : []).map(document => {
      for (const error of document.errors) throw error
      return document.toJS()
    })
  } catch (error) {
    throw new UsageError(`${called(path)}: ${(error as Error).message.split('\n')[0]}`)
  }
  // What is empty, as after a last `---`, says nothing.
  const [value, ...others] = values.filter(each => each !== null)
  if (others.length > 0) {
    throw new UsageError(
      `${called(path)}: holds ${others.length + 1} documents; here the fields of one thing are asked for`,
    )
  }
  if (!isObject(value)) throw new UsageError(`${called(path)}: must hold fields, such as "name: Shop"`)
  return value
}
