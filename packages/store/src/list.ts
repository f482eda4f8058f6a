import type { Db, Params, Query, Row, Value } from './db.ts'
import { compile } from './statement.ts'

/** A page of a table or join: what may be asked for is what `columns` names. */
export interface PageOf {
  name: string
  /** Name of each column to its SQL expression. */
  columns: Record<string, string>
  from: string
  where: string
  params: Params
  /** Columns that must have this value. */
  filters: Record<string, Value>
  /** Columns without nulls: those can be read in the order of an index. */
  neverNull?: readonly string[]
  sort: { column: string; descending: boolean }[]
  /** Column that makes the order complete. */
  tie: string
  page: number
  perPage: number
  /** What is counted where nothing is filtered: `from` without what only adds columns. */
  countFrom?: string | undefined
}

interface Made {
  rows: Query<Row>
  count: { query: Query<{ count: number }>; names: readonly string[] }
}
const queries = new Map<string, Made>()

/** Callers choose filters and order; beyond this many shapes the oldest is forgotten. */
const keptShapes = 500

/**
 * Reads one page and counts them all. No text of the caller's enters the SQL: filters and sort fields are names of
 * `columns`, values are parameters.
 * @throws {TypeError} for a column that is not there
 */
export async function listPage(db: Db, list: PageOf): Promise<{ rows: Row[]; total: number }> {
  const { rows, count } = queriesOf(list)
  const filters = Object.entries(list.filters).filter(([, value]) => value !== null)
  const params = { ...list.params, ...Object.fromEntries(filters.map(([name, value]) => [`is_${name}`, value])) }
  const offset = (list.page - 1) * list.perPage
  const [page, total] = await Promise.all([
    db.all(rows, { ...params, limit: list.perPage, offset }),
    // A column may need parameters that counting does not.
    db.one(count.query, Object.fromEntries(count.names.map(name => [name, params[name]])) as Params),
  ])
  return { rows: page, total: total?.count ?? 0 }
}

/** One statement per shape: which filters, which order. */
function queriesOf(list: PageOf) {
  const filtered = Object.entries(list.filters)
    .map(([name, value]) => `${name}${value === null ? ' is null' : ''}`)
    .sort()
  const order = list.sort.map(({ column, descending }) => `${column}${descending ? ' desc' : ''}`)
  const shape = [list.name, filtered.join(), order.join()].join(' ')
  // The fixed parts too: two lists of one name must not get each other's condition.
  const key = [shape, list.where, list.from, list.tie, list.neverNull?.join()].join('\n')
  let made = queries.get(key)
  if (made === undefined) {
    made = build(list, shape)
    queries.set(key, made)
    const [oldest] = queries.keys()
    if (queries.size > keptShapes && oldest !== undefined) queries.delete(oldest)
  }
  return made
}

function build(list: PageOf, shape: string): Made {
  const expression = (name: string) => {
    const sql = Object.hasOwn(list.columns, name) ? list.columns[name] : undefined
    if (sql === undefined) throw new TypeError(`${list.name} has no column ${name}`)
    return sql
  }
  const conditions = Object.entries(list.filters).map(([name, value]) =>
    value === null ? `${expression(name)} is null` : `${expression(name)} = @is_${name}`,
  )
  const where = [`(${list.where})`, ...conditions].join(' and ')
  // Nulls last whichever way: the engines differ in where they put them. The tie is never null, and goes the way of
  // the last field: then one index can give both.
  const order = list.sort.map(({ column, descending }) => {
    const sql = expression(column)
    return `${list.neverNull?.includes(column) ? '' : `${sql} is null, `}${sql}${descending ? ' desc' : ''}`
  })
  order.push(`${expression(list.tie)}${list.sort.at(-1)?.descending ? ' desc' : ''}`)
  const columns = Object.entries(list.columns).map(([name, sql]) => `${sql} as ${name}`)
  const counted = conditions.length === 0 ? (list.countFrom ?? list.from) : list.from
  const count: Query<{ count: number }> = {
    adhoc: true,
    name: `${shape} count`,
    sql: `select count(*) as count from ${counted} where ${where}`,
  }
  return {
    rows: {
      adhoc: true,
      name: `${shape} rows`,
      sql: `select ${columns.join(', ')} from ${list.from} where ${where}
        order by ${order.join(', ')} limit @limit offset @offset`,
    },
    count: { query: count, names: compile(count, name => name).names },
  }
}
