import type { Route, Routes } from '@watchpost/contract'
import { entityTag, isCurrent } from './etag.ts'
import type { Answer, Ask, Handler, Handlers, Head } from './handler.ts'
import { enveloped } from './reply.ts'
import { changedMeanwhile } from './request-db.ts'

/** What a path answers to a read, for writes that are made on the condition that it is still so. */
interface Reading {
  entry: Route
  handler: Handler<Route>
}

export type Readings = Map<string, Reading>

/** The reads of a table, by path. */
export function readingsOf<T extends Routes>(table: T, handlers: Handlers<T>): Readings {
  const reads = Object.entries(table).filter(([, entry]) => entry.method === 'GET' && entry.envelope !== 'list')
  return new Map(reads.map(([name, entry]) => [entry.path, { entry, handler: handlerOf(handlers, name) }]))
}

export function handlerOf<T extends Routes>(handlers: Handlers<T>, name: keyof T): Handler<Route> {
  const given = handlers[name] as Handler<Route> | Handler<Route>['handle']
  return typeof given === 'function' ? { handle: given } : given
}

/**
 * Holds a write to its `If-Match`: the version it names, or the bytes where there is no version, must be what a read
 * shows now.
 * @throws {ApiError} precondition_failed
 */
export async function requireMatch(readings: Readings, path: string, header: string, head: Head<Route>): Promise<void> {
  const reading = readings.get(path)
  if (reading === undefined) {
    if (header.trim() !== '*') throw changedMeanwhile()
    return
  }
  const { entry, handler } = reading
  const found = await handler.find?.(head)
  const version = found === undefined ? undefined : handler.version?.(found)
  const tag = version === undefined ? await tagOf(entry, handler, head, found) : entityTag('', version)
  if (!isCurrent(header, tag, version)) throw changedMeanwhile()
}

async function tagOf(entry: Route, handler: Handler<Route>, head: Head<Route>, found: object | undefined) {
  const ask = { ...head, query: {}, body: undefined } as Ask<Route>
  const answer = (await handler.handle(ask, found as never)) as Answer<Route>
  return entityTag(JSON.stringify(enveloped(entry, answer, ask, entry.path)))
}
