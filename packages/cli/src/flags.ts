import { type Command, Option } from 'commander'

/** The parts of a JSON Schema that a flag is made of. */
interface Plain {
  type?: string
  enum?: unknown[]
  anyOf?: Plain[]
  items?: Plain
  properties?: Record<string, Plain>
  required?: string[]
  description?: string
  default?: unknown
  examples?: unknown[]
}

/** One property of a request, as a flag. */
export interface Flag {
  /** Name of the property: `ssl_verify`. */
  field: string
  /** `--ssl-verify`. */
  name: string
  kind: 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'map'
  nullable: boolean
  required: boolean
  words: string[]
  /** Of a list: whether its values are whole numbers. */
  numbers: boolean
  description: string
}

/**
 * Flags for the properties of an object's schema: `ssl_verify` becomes `--ssl-verify` and `--no-ssl-verify`,
 * a list becomes a repeatable flag in the singular (`--scope`), an object a repeatable `--option key=value`.
 */
export function flagsOf(schema: object | undefined): Flag[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Plain
  return Object.entries(properties).map(([field, property]) => {
    const nullable = property.anyOf?.some(each => each.type === 'null') ?? false
    const value = property.anyOf?.find(each => each.type !== 'null') ?? property
    const kind = kindOf(value)
    const word = kind === 'list' || kind === 'map' ? field.replace(/s$/, '') : field
    return {
      field,
      name: `--${word.replaceAll('_', '-')}`,
      kind,
      nullable,
      required: required.includes(field),
      words: ((value.items ?? value).enum ?? []).map(String),
      numbers: value.items?.type === 'integer',
      description: describe(field, { ...value, ...property }, value, nullable),
    }
  })
}

function kindOf({ type }: Plain): Flag['kind'] {
  if (type === 'array') return 'list'
  if (type === 'object') return 'map'
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string'
}

function describe(field: string, said: Plain, value: Plain, nullable: boolean): string {
  const words = ((value.items ?? value).enum ?? []).join(', ')
  const more = [
    ...(words === '' ? [] : [`one of ${words}`]),
    ...(kindOf(value) === 'map' && value.properties ? [Object.keys(value.properties).join(', ')] : []),
    ...(typeof said.default === 'object' || said.default === undefined ? [] : [`default ${said.default}`]),
    ...(nullable ? ['null for none'] : []),
  ].join('; ')
  const sentence = (value.description ?? said.description)?.replaceAll('`', '')
  if (sentence !== undefined) return more === '' ? sentence : `${sentence} (${more})`
  if (more !== '') return more
  return said.examples?.[0] === undefined ? field.replaceAll('_', ' ') : `such as ${said.examples[0]}`
}

/** Adds the flags to a command; their values stay text until {@link valuesOf} reads them. */
export function addFlags(command: Command, flags: Flag[], group: string): void {
  for (const flag of flags) {
    for (const option of optionsOf(flag)) command.addOption(option.helpGroup(group))
  }
}

function optionsOf({ name, kind, description }: Flag): Option[] {
  const gather = (value: string, earlier: string[] = []) => [...earlier, value]
  switch (kind) {
    case 'boolean':
      return [new Option(`${name} [bool]`, description), new Option(`--no-${name.slice(2)}`, '').hideHelp()]
    case 'list':
      return [new Option(`${name} <value>`, repeatable(description)).argParser(gather)]
    case 'map':
      return [new Option(`${name} <key=value>`, repeatable(description)).argParser(gather)]
    default:
      return [new Option(`${name} <${kind === 'string' ? 'value' : 'number'}>`, description)]
  }
}

function repeatable(description: string): string {
  return description.endsWith('.') ? `${description} Repeatable.` : `${description}; repeatable`
}

/** What was given, by field, with the right JSON types; and by flag what could not be read. */
export function valuesOf(flags: Flag[], given: Record<string, unknown>) {
  const values: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const flag of flags) {
    const text = given[attributeOf(flag)]
    if (text === undefined) continue
    try {
      values[flag.field] = readValue(flag, text)
    } catch (error) {
      wrong[flag.name] = (error as Error).message
    }
  }
  return { values, wrong }
}

/** Under which name commander keeps the value. */
function attributeOf(flag: Flag): string {
  return new Option(flag.name).attributeName()
}

function readValue(flag: Flag, given: unknown): unknown {
  if (flag.kind === 'list') {
    return flag.numbers ? (given as string[]).map(text => readNumber(text, 'integer')) : given
  }
  if (flag.kind === 'map') return Object.fromEntries((given as string[]).map(text => splitPair(text)))
  if (flag.nullable && given === 'null') return null
  if (flag.kind === 'boolean') return readBoolean(given)
  if (flag.kind === 'string') return given
  return readNumber(given, flag.kind)
}

function readNumber(given: unknown, kind: Flag['kind']): number {
  const number = given === '' ? Number.NaN : Number(given)
  if (kind === 'integer' ? !Number.isSafeInteger(number) : !Number.isFinite(number)) {
    throw new Error(`must be a ${kind === 'integer' ? 'whole ' : ''}number, not "${given}"`)
  }
  return number
}

function readBoolean(given: unknown): boolean {
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  throw new Error(`must be true or false, not "${given}"`)
}

/** `key=value`, the value JSON where it parses as JSON. */
export function splitPair(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at < 1) throw new Error(`must be key=value, not "${text}"`)
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    return [text.slice(0, at), value]
  }
}

/** The mend where a text was meant, and what was given is JSON of another kind: `--option expect=220`. */
export function quotesFor(flags: Flag[], given: Record<string, unknown>, field: string, message: string): string {
  if (!message.startsWith('must be a string')) return ''
  const flag = flags.find(each => each.kind === 'map' && field.startsWith(`${each.field}.`))
  const key = field.slice((flag?.field.length ?? 0) + 1)
  const pairs = flag && (given[attributeOf(flag)] as string[] | undefined)
  const text = pairs?.findLast(pair => pair.startsWith(`${key}=`))?.slice(key.length + 1)
  return flag === undefined || text === undefined ? '' : `; write ${flag.name} '${key}=${JSON.stringify(text)}'`
}

/** The flag that sets a field the server names in an error: `ssl_verify`, `options.keyword`, `scopes/0`. */
export function flagOfField(flags: Flag[], field: string): string {
  const [head = '', ...rest] = field.split(/[./[\]]+/).filter(part => part !== '')
  const flag = flags.find(each => each.field === head)
  if (flag === undefined) return field
  return flag.kind === 'map' && rest.length > 0 ? `${flag.name} ${rest.join('.')}` : flag.name
}
