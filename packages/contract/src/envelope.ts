import Type, { type Static, type TSchema } from 'typebox'
import { Nullable } from './schema/scalar.ts'

/** Shape of what a route answers around its data (specification 4.1, ruling 1). */
export type Envelope = 'item' | 'list' | 'slice' | 'created' | 'updated' | 'deleted' | 'bare'

export const ListMeta = Type.Object({
  total: Type.Integer(),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total_pages: Type.Integer(),
})
export type ListMeta = Static<typeof ListMeta>

export const ListLinks = Type.Object({
  first: Type.String(),
  prev: Nullable(Type.String()),
  next: Nullable(Type.String()),
  last: Type.String(),
})
export type ListLinks = Static<typeof ListLinks>

/** Of a collection too large to count: where to go on, and whether the search came to its end. */
export const SliceMeta = Type.Object({
  next_cursor: Nullable(Type.String({ description: 'For `cursor`; null at the end.' })),
  complete: Type.Boolean({ description: 'False where the search stopped early, and more may follow.' }),
})
export type SliceMeta = Static<typeof SliceMeta>

export const SliceLinks = Type.Object({ next: Nullable(Type.String()) })

export interface ItemBody<T> {
  success: true
  message: string
  data: T
}

export interface ListBody<T> extends ItemBody<T[]> {
  meta: ListMeta
  links: ListLinks
}

export interface SliceBody<T> extends ItemBody<T[]> {
  meta: SliceMeta
  links: { next: string | null }
}

/** What a route with envelope `E` and data `T` answers. */
export type Enveloped<E extends Envelope, T> = E extends 'list'
  ? ListBody<T>
  : E extends 'slice'
    ? SliceBody<T>
    : E extends 'bare'
      ? T
      : ItemBody<T>

export const statusOfEnvelope: Record<Envelope, number> = {
  item: 200,
  list: 200,
  slice: 200,
  created: 201,
  updated: 200,
  deleted: 200,
  bare: 200,
}

export function itemBody<T>(data: T, message = 'Success'): ItemBody<T> {
  return { success: true, message, data }
}

/**
 * A page of a collection with its relative links, which keep the query (specification 4.1, 4.2, ruling 5).
 * @param url the request's path and query
 */
export function listBody<T>(data: T[], total: number, page: number, perPage: number, url: string): ListBody<T> {
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  const [path, query] = url.split('?', 2) as [string, string | undefined]
  const link = (to: number) => {
    const params = new URLSearchParams(query)
    params.set('page', String(to))
    return `${path}?${params}`
  }
  return {
    ...itemBody(data),
    meta: { total, page, per_page: perPage, total_pages: totalPages },
    links: {
      first: link(1),
      prev: page > 1 ? link(Math.min(page - 1, totalPages)) : null,
      next: page < totalPages ? link(page + 1) : null,
      last: link(totalPages),
    },
  }
}

/**
 * A part of a collection that is gone through by cursor, with the link to the next.
 * @param url the request's path and query
 */
export function sliceBody<T>(data: T[], meta: SliceMeta, url: string): SliceBody<T> {
  const [path, query] = url.split('?', 2) as [string, string | undefined]
  const params = new URLSearchParams(query)
  if (meta.next_cursor !== null) params.set('cursor', meta.next_cursor)
  return { ...itemBody(data), meta, links: { next: meta.next_cursor === null ? null : `${path}?${params}` } }
}

/** JSON Schema of a route's whole answer. */
export function envelopeSchema(envelope: Envelope, data: TSchema): TSchema {
  if (envelope === 'bare') return data
  const head = { success: Type.Literal(true), message: Type.String() }
  if (envelope === 'list') return Type.Object({ ...head, data: Type.Array(data), meta: ListMeta, links: ListLinks })
  if (envelope === 'slice') {
    return Type.Object({ ...head, data: Type.Array(data), meta: SliceMeta, links: SliceLinks })
  }
  return Type.Object({ ...head, data: envelope === 'deleted' ? Type.Null() : data })
}
