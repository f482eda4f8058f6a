import type { Params, Query } from './db.ts'

/** A query as one engine runs it: its SQL, and the parameters it names, in their order. */
export interface Statement {
  readonly sql: string
  readonly names: readonly string[]
  readonly lists: ReadonlySet<string>
}

/** What stands for a parameter: `index` counts the distinct names from 1. */
export type Place = (name: string, index: number) => string
/** What stands for a whole `in (@name...)` or `not in (@name...)`. */
export type ListPlace = (name: string, index: number, negated: boolean) => string

const token =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(not\s+)?in\s*\(\s*@([a-z_]\w*)\.{3}\s*\)|@([a-z_]\w*)(\.{3})?/gi

/**
 * Compiles `@name` and `in (@name...)` for an engine; text in quotes and comments stays as it is.
 * @throws {SyntaxError} for a list anywhere else: only there do both engines have a word for it
 */
export function compile(query: Query, place: Place, listPlace: ListPlace = name => `in (@${name}...)`): Statement {
  const names: string[] = []
  const lists = new Set<string>()
  const indexOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1) + 1
  const sql = query.sql.replace(token, (text, not?: string, list?: string, name?: string, dots?: string) => {
    if (dots !== undefined) throw new SyntaxError(`${query.name}: a list is written "in (${text})"`)
    if (list !== undefined) {
      lists.add(list)
      return listPlace(list, indexOf(list), not !== undefined)
    }
    return name === undefined ? text : place(name, indexOf(name))
  })
  return { sql, names, lists }
}

/**
 * @throws {TypeError} naming query and parameter when one is missing, undefined, NaN or of the wrong shape, or is not
 * in the statement: a mistake in the caller, which a driver would store as null or leave out in silence
 */
export function checkParams(query: Query, statement: Statement, params: Params): void {
  for (const name of statement.names) {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${query.name} needs @${name}`)
    if (Array.isArray(value) !== statement.lists.has(name)) {
      throw new TypeError(`${query.name}: @${name} is ${statement.lists.has(name) ? 'a list' : 'one value'}`)
    }
    if (Number.isNaN(value)) throw new TypeError(`${query.name}: @${name} is not a number`)
  }
  let given = 0
  for (const _ in params) given++
  if (given === statement.names.length) return
  const unknown = Object.keys(params).filter(name => !statement.names.includes(name))
  throw new TypeError(`${query.name} has no @${unknown.join(', @')}`)
}

/** SQL of a migration for one engine: its own marked pieces become text, the other's vanish. */
export function forEngine(sql: string, engine: 'sqlite' | 'postgres'): string {
  return sql.replace(/\/\*(sqlite|postgres):([\s\S]*?)\*\//g, (_, marked: string, text: string) =>
    marked === engine ? text : '',
  )
}
