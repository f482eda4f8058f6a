import { createRequire } from 'node:module'
import type { JsonValue, query as Query } from 'jsonpath-rfc9535'

export type { JsonValue }

const require = createRequire(import.meta.url)
let loaded: typeof Query | undefined

/** What a JSON path finds. Its library is read once somebody asks: few checks do, and it is megabytes of memory. */
export function query(json: JsonValue, path: string): JsonValue[] {
  loaded ??= (require('jsonpath-rfc9535') as { query: typeof Query }).query
  return loaded(json, path)
}
