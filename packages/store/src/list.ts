import type { Db, Params, Query, Row, Value } from './db.ts'

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
  sort: { column: string; descending: boolean }[]
  /** Column that makes the order complete. */
  tie: string
  page: number
  perPage: number
}

const queries = new Map<string, { rows: Query<Row>; count: Query<{ count: number }> }>()

/**
 * Reads one page and counts them all. No text of the caller's enters the SQL: filters and sort fields are names of
 * `columns`, values are parameters.
 * @throws {TypeError} for a column that is not there
 */
export async function listPage(db: Db, list: PageOf): Promise<{ rows: Row[]; total: number }> {
  const { rows, count } = queriesOf(list)
  const filters = Object.fromEntries(Object.entries(list.filters).map(([name, value]) => [`is_${name}`, value]))
  const params = { ...list.params, ...filters }
  const offset = (list.page - 1) * list.perPage
  const [page, total] = await Promise.all([
    db.all(rows, { ...params, limit: list.perPage, offset }),
    db.one(count, params),
  ])
  return { rows: page, total: total?.count ?? 0 }
}

/** One statement per shape: which filters, which order. */
function queriesOf(list: PageOf) {
  const filtered = Object.keys(list.filters).sort()
  const order = list.sort.map(({ column, descending }) => `${column}${descending ? ' desc' : ''}`)
  const shape = [list.name, filtered.join(), order.join()].join(' ')
  let made = queries.get(shape)
  if (made === undefined) {
    made = build(list, shape, filtered)
    queries.set(shape, made)
  }
  return made
}

function build(list: PageOf, shape: string, filtered: string[]) {
  const expression = (name: string) => {
    const sql = list.columns[name]
    if (sql === undefined) throw new TypeError(`${list.name} has no column ${name}`)
    return sql
  }
  const where = [list.where, ...filtered.map(name => `${expression(name)} = @is_${name}`)].join(' and ')
  // Nulls last whichever way: the engines differ in where they put them. The tie is never null, and uses its index.
  const order = list.sort.map(({ column, descending }) => {
    const sql = expression(column)
    return `${sql} is null, ${sql}${descending ? ' desc' : ''}`
  })
  order.push(expression(list.tie))
  const columns = Object.entries(list.columns).map(([name, sql]) => `${sql} as ${name}`)
  return {
    rows: {
      name: `${shape} rows`,
      sql: `select ${columns.join(', ')} from ${list.from} where ${where}
        order by ${order.join(', ')} limit @limit offset @offset`,
    },
    count: { name: `${shape} count`, sql: `select count(*) as count from ${list.from} where ${where}` },
  }
}
