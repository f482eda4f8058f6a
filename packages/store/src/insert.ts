import type { Query, Value } from './db.ts'
import { query } from './queries/query.ts'

/**
 * The insert of one row like these, made once per table and columns.
 * @throws {TypeError} when a row has other keys than the first: what it has besides would be lost in silence
 */
export function insertOf(table: string, rows: readonly Record<string, Value>[], made: Map<string, Query>): Query {
  const columns = columnsOf(table, rows)
  const key = `${table} ${columns.join()}`
  let insert = made.get(key)
  if (insert === undefined) {
    const values = columns.map(name => `@${name}`).join(', ')
    insert = query(`${table}.append`, `insert into ${table} (${columns.join(', ')}) values (${values})`)
    made.set(key, insert)
  }
  return insert
}

/** The keys all rows have, each fit to be the name of a column. */
export function columnsOf(table: string, rows: readonly Record<string, Value>[]): string[] {
  const columns = Object.keys(rows[0] as object)
  const odd = [table, ...columns].find(name => !/^[a-z_][a-z0-9_]*$/.test(name))
  if (odd !== undefined) throw new TypeError(`${table}.append: ${JSON.stringify(odd)} is no name of a table or column`)
  for (const [index, row] of rows.entries()) {
    let keys = 0
    for (const _ in row) keys++
    for (const name of columns) {
      const value = row[name]
      if (value === undefined) keys = -1
      else if (Number.isNaN(value)) throw new TypeError(`${table}.append: row ${index}: ${name} is not a number`)
    }
    if (keys !== columns.length) throw new TypeError(`${table}.append: row ${index} has other columns than the first`)
  }
  return columns
}
