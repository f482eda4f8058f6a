import type { Params, Query } from './db.ts'

/** A query as one engine runs it: its SQL, and the parameters it names, in their order. */
export interface Statement {
  readonly sql: string
  readonly names: readonly string[]
  readonly lists: ReadonlySet<string>
}

const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|@([a-z_][a-z0-9_]*)(\.\.\.)?/gi

/**
 * Compiles `@name` and `@name...` for an engine; text in quotes and comments stays as it is.
 * @param place what stands for a parameter: `index` counts the distinct names from 1
 */
export function compile(query: Query, place: (name: string, index: number, list: boolean) => string): Statement {
  const names: string[] = []
  const lists = new Set<string>()
  const sql = query.sql.replace(token, (text, name: string | undefined, dots: string | undefined) => {
    if (name === undefined) return text
    if (!names.includes(name)) names.push(name)
    if (dots !== undefined) lists.add(name)
    return place(name, names.indexOf(name) + 1, dots !== undefined)
  })
  return { sql, names, lists }
}

/**
 * @throws {TypeError} naming query and parameter when one is missing, undefined or of the wrong shape: a mistake in the
 * caller, which a driver would store as null
 */
export function checkParams(query: Query, statement: Statement, params: Params): void {
  for (const name of statement.names) {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${query.name} needs @${name}`)
    if (Array.isArray(value) !== statement.lists.has(name)) {
      throw new TypeError(`${query.name}: @${name} is ${statement.lists.has(name) ? 'a list' : 'one value'}`)
    }
  }
}

/** SQL of a migration for one engine: its own marked pieces become text, the other's vanish. */
export function forEngine(sql: string, engine: 'sqlite' | 'postgres'): string {
  return sql.replace(/\/\*(sqlite|postgres):([\s\S]*?)\*\//g, (_, marked: string, text: string) =>
    marked === engine ? text : '',
  )
}
