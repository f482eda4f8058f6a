import type { ListQuery, Route } from '@watchpost/contract'
import { type Db, listPage, type Params, type Row } from '@watchpost/store'
import type { Order } from '../domain/order.ts'
import { refuse } from './validate.ts'

/** What a list endpoint reads from. */
export interface Listing {
  /** The contract's entry: what it shows and may be searched by, and what of it may be null. */
  route: Route
  name: string
  /** Name of each column to its SQL expression. */
  columns: Record<string, string>
  from: string
  where: string
  params: Params
  /** Wire fields that are called otherwise in the table. */
  fields?: Record<string, string>
  /** How a field's words are stored, where they are not stored as they are. */
  values?: Record<string, (word: string) => string | number>
  /** The order where none is asked for; by id if absent. */
  order?: string
  /** Column that makes the order complete; `id` if absent. */
  tie?: string
  /** `from` without what only adds columns, to count by. */
  countFrom?: string
}

/** More would tell nothing, and every order is a statement of its own. */
const mostSortFields = 3

/** Fields that a list may be searched by, and whether they may be null. */
function fieldsOf(route: Route): Map<string, boolean> {
  const { properties: query = {} } = route.query as { properties?: Record<string, unknown> }
  const { properties: shown = {} } = route.reply as { properties?: Record<string, { anyOf?: unknown[] }> }
  const fields = Object.keys(query).filter(name => Object.hasOwn(shown, name))
  return new Map(fields.map(name => [name, shown[name]?.anyOf !== undefined]))
}

/** @throws {ApiError} validation_failed for a field the list does not show */
export function readOrder(route: Route, sort: string): Order[] {
  const known = fieldsOf(route)
  const order = sort
    .split(',')
    .filter(field => field !== '')
    .map(field => ({ field: field.replace(/^-/, ''), descending: field.startsWith('-') }))
  const unknown = order
    .filter(({ field }) => !known.has(field))
    .map(each => `${each.descending ? '-' : ''}${each.field}`)
  if (unknown.length > 0) refuse({ sort: `cannot sort by ${unknown.join(', ')}` })
  if (order.length > mostSortFields) refuse({ sort: `must have at most ${mostSortFields} fields` })
  return order
}

/** Columns that are called in SQL what they are called in rows. */
export const columnsByName = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(', ').map(name => [name, name]))

/** @throws {ApiError} validation_failed for a sort field the list does not show, or too many */
function orderOf(sort: string, known: Map<string, boolean>): string[] {
  const order = sort.split(',').filter(field => field !== '')
  const unknown = order.filter(field => !known.has(field.replace(/^-/, '')))
  if (unknown.length > 0) refuse({ sort: `cannot sort by ${unknown.join(', ')}` })
  if (order.length > mostSortFields) refuse({ sort: `must have at most ${mostSortFields} fields` })
  return order
}

/**
 * One page of a collection: filtered, sorted, counted (specification 4.2). Any scalar field that the list shows can be
 * asked for, and no other.
 * @throws {ApiError} validation_failed for a sort field the list does not show
 */
export async function listRows<R extends object>(
  db: Db,
  { page = 1, per_page = 20, sort, ...filters }: ListQuery,
  listing: Listing,
): Promise<{ rows: R[]; total: number }> {
  const column = (field: string) => listing.fields?.[field] ?? field
  const order = readOrder(listing.route, sort ?? listing.order ?? '')
  const known = fieldsOf(listing.route)
  return listPage(db, {
    name: listing.name,
    columns: listing.columns,
    from: listing.from,
    where: listing.where,
    params: listing.params,
    filters: Object.fromEntries(
      Object.entries(filters).map(([field, value]) => [column(field), stored(field, value, listing)]),
    ),
    sort: order.map(({ field, descending }) => ({ column: column(field), descending })),
    neverNull: [...known].filter(([, nullable]) => !nullable).map(([field]) => column(field)),
    tie: listing.tie ?? 'id',
    countFrom: listing.countFrom,
    page,
    perPage: per_page,
  }) as Promise<{ rows: Row[]; total: number }> as Promise<{ rows: R[]; total: number }>
}

function stored(field: string, value: string | number | boolean | undefined, listing: Listing): string | number {
  if (typeof value === 'boolean') return Number(value)
  const convert = listing.values?.[field]
  if (convert !== undefined) return convert(String(value))
  // Times are ISO 8601 on the wire and epoch ms in the store.
  if (field.endsWith('_at')) return Date.parse(String(value))
  return value as string | number
}

/**
 * One page of a collection that is bounded and read as a whole, since what it shows is computed: by the same rules.
 * @throws {ApiError} validation_failed for a sort field the list does not show
 */
export function listKept<R extends { id: number }>(
  all: readonly R[],
  { page = 1, per_page = 20, sort, ...filters }: ListQuery,
  { route, order }: { route: Route; order: string },
): { rows: R[]; total: number } {
  const fields = orderOf(sort ?? order, fieldsOf(route))
  const value = (row: R, field: string) => comparable(field, (row as Record<string, unknown>)[field])
  const kept = all.filter(row =>
    Object.entries(filters).every(([field, wanted]) => value(row, field) === comparable(field, wanted)),
  )
  const turn = (field: string | undefined) => (field?.startsWith('-') ? -1 : 1)
  kept.sort((a, b) => {
    for (const field of fields) {
      const name = field.replace(/^-/, '')
      const [x, y] = [value(a, name), value(b, name)]
      if (x === y) continue
      // Nulls last whichever way.
      if (x === null || y === null) return x === null ? 1 : -1
      return (x < y ? -1 : 1) * turn(field)
    }
    return (a.id - b.id) * turn(fields.at(-1))
  })
  return { rows: kept.slice((page - 1) * per_page, page * per_page), total: kept.length }
}

/** A moment can be written in several ways. */
function comparable(field: string, value: unknown): string | number | boolean | null {
  return field.endsWith('_at') && typeof value === 'string' ? Date.parse(value) : (value as string | number | null)
}
