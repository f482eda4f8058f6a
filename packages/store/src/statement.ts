import type { Params, Query, Value } from './db.ts'

export type EngineName = 'sqlite' | 'postgres'

/** A query's SQL as one engine runs it. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** Every parameter the query names, also those only the other engine uses: a caller passes all of them. */
  readonly names: readonly string[]
  /** Which of `names` takes a list. */
  readonly lists: readonly boolean[]
  /** For each value the engine binds, its place in `names`. */
  readonly order: readonly number[]
}

// Literals, quoted names and comments come first in the pattern, so that an @ inside them is left alone.
const skipped = [
  String.raw`'(?:[^']|'')*'`,
  String.raw`"(?:[^"]|"")*"`,
  String.raw`--[^\n]*`,
  String.raw`/\*[\s\S]*?\*/`,
  String.raw`\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$`,
].join('|')
const comment = new RegExp(skipped, 'gi')
const parameter = new RegExp(
  `${skipped}|${String.raw`\b(?<not>not\s+)?in\s*\(\s*@(?<list>\w+)\.\.\.\s*\)|@(?<name>[a-z_]\w*)(?<dots>\.\.\.)?`}`,
  'gi',
)
const marked = /^\/\*(sqlite|postgres):([\s\S]*)\*\/$/

/**
 * The text for one engine: what is written between `/*sqlite:` or `/*postgres:` and the comment's end is plain text
 * for that engine and nothing for the other.
 */
export function textFor(engine: EngineName, sql: string): string {
  return sql.replace(comment, token => {
    const [, only, text] = marked.exec(token) ?? []
    if (only === undefined || text === undefined) return token
    return only === engine ? text.trim() : ''
  })
}

/**
 * Turns `@name` into what the engine binds, and `in (@names...)` into a test against a list of any length.
 * SQLite gets one `?` for each use, PostgreSQL one `$n` for each name.
 * @throws {SyntaxError} when a list stands elsewhere than in `in (…)`, or one name is used both ways.
 */
export function compile(query: Query, engine: EngineName): Statement {
  const names: string[] = []
  const lists: boolean[] = []
  const use = (name: string, isList: boolean): number => {
    const known = names.indexOf(name)
    if (known >= 0 && lists[known] !== isList) {
      throw new SyntaxError(`${query.name}: @${name} is used both as a value and as a list`)
    }
    if (known >= 0) return known
    lists.push(isList)
    return names.push(name) - 1
  }
  const order: number[] = []
  const translate = (of: EngineName) =>
    textFor(of, query.sql).replace(parameter, (token, ...rest) => {
      const found = rest.at(-1) as { not?: string; list?: string; name?: string; dots?: string }
      if (found.dots !== undefined) {
        throw new SyntaxError(`${query.name}: a list is written "in (${token})", and nowhere else`)
      }
      const name = found.list ?? found.name
      if (name === undefined) return token
      const place = use(name, found.list !== undefined)
      if (of !== engine) return token
      if (engine === 'postgres') {
        // The list's type is taken from the expression it is compared with: one statement for ids and names, and
        // an empty list needs no type of its own.
        if (found.list !== undefined) return found.not ? `<> all($${place + 1})` : `= any($${place + 1})`
        return `$${place + 1}`
      }
      order.push(place)
      if (found.list !== undefined) return `${found.not ?? ''}in (select value from json_each(?))`
      return '?'
    })
  const text = translate(engine)
  const used = names.length
  translate(engine === 'sqlite' ? 'postgres' : 'sqlite')
  if (engine === 'postgres') for (let place = 0; place < used; place++) order.push(place)
  return { name: query.name, text, names, lists, order }
}

/**
 * Refuses parameters a statement cannot run with: what is left out or `undefined` would become NULL in silence, and
 * so would NaN in SQLite.
 * @throws {TypeError} naming the query and the parameter.
 */
export function checkParams(statement: Statement, params: Params): void {
  const { names, lists } = statement
  for (let place = 0; place < names.length; place++) {
    const value = params[names[place] as string]
    if (value === undefined || Array.isArray(value) !== lists[place] || Number.isNaN(value)) {
      throw new TypeError(`${statement.name}: ${complaint(names[place] as string, value)}`)
    }
  }
  let given = 0
  for (const _ in params) given++
  if (given !== names.length) {
    const unknown = Object.keys(params).filter(name => !names.includes(name))
    throw new TypeError(`${statement.name}: the statement has no parameter @${unknown.join(', @')}`)
  }
}

function complaint(name: string, value: Params[string] | undefined): string {
  if (value === undefined) return `parameter @${name} is missing or undefined`
  if (Number.isNaN(value as Value)) return `parameter @${name} is not a number (NaN)`
  return Array.isArray(value) ? `parameter @${name} takes one value, not a list` : `parameter @${name} takes a list`
}
