import { ApiError, publicRoutes, type StatusPayload } from '@watchpost/contract'
import type { ShownPage } from '@watchpost/status-page'
import type { StatusPageRow } from '@watchpost/store'
import type { Context } from '../context.ts'
import { dayMs } from '../domain/uptime.ts'
import { entityTag } from '../http/etag.ts'
import { type Page, Prepared } from '../http/handler.ts'
import { settleForReading } from '../settle-for-reading.ts'
import { type ClosedDays, readStatus } from './status-payload.ts'

/** A page as it is served: computed, and written out once for all who ask. */
export interface Published {
  payload: StatusPayload
  /** The page for people, read when the first of them asks. */
  shown(): Promise<ShownPage>
  prepared: Prepared
  /** What it was read from. */
  page: StatusPageRow
  /** What is made of it for people: each once, when the first of them asks. */
  made: Map<string, Promise<Page>>
}

interface Kept extends Published {
  team_id: number
  /** Changes of the team that this has seen. */
  changes: number
  /** When it was computed. */
  at: number
  /** When a maintenance window on it begins or ends, or a monitor is unknown because nobody looks. */
  until: number
  /** How often within the second that began at `second`. */
  times: number
  second: number
  closed: ClosedDays
  /** The payload without the moment it is of. */
  content: string
}

/** Where the payload of a page is read, before its slug. */
const prefixes = [publicRoutes.getStatus, publicRoutes.getStatusAlias].map(({ path }) => path.replace('{slug}', ''))

/** Milliseconds after which it is computed again though nothing was heard of. */
const longestMs = 60_000
/** With several replicas the others' writes are not heard of. */
const longestAmongReplicasMs = 1000
/** What is unchanged is said to be so at least this often, so that a reader can tell it from an old copy. */
const confirmedEveryMs = 5 * 60_000
/** Times a page is computed in a second at most, so that a storm of results costs the pages' readers little. */
const timesASecond = 20

/** Pages by slug, computed when asked for after a change, and not for each who asks. */
export class PublishedPages {
  private readonly kept = new Map<string, Promise<Kept | undefined>>()
  /** Those of them that are computed. */
  private readonly ready = new Map<string, Kept>()
  /** Pages kept at most; beyond that the one computed longest ago goes. */
  private readonly most = 1000

  /** @throws {ApiError} not_found where there is no such page, or it is private */
  async get(context: Context, slug: string): Promise<Published> {
    const key = slug.toLowerCase()
    const before = this.kept.get(key)
    const old = await before
    if (old !== undefined && isFresh(old, context)) return old
    // Whoever came in between has had it computed.
    const under = this.kept.get(key)
    const next = under !== undefined && under !== before ? under : this.compute(context, key, old)
    const page = await next
    if (page === undefined) throw new ApiError('not_found', 'There is no such status page')
    return page
  }

  /** What is prepared for an address and may be sent as it is; undefined where {@link get} is to be asked. */
  at(context: Context, url: string): Prepared | undefined {
    const prefix = prefixes.find(each => url.startsWith(each))
    const kept = prefix === undefined ? undefined : this.ready.get(url.slice(prefix.length))
    return kept !== undefined && isFresh(kept, context) ? kept.prepared : undefined
  }

  private compute(context: Context, key: string, old: Kept | undefined): Promise<Kept | undefined> {
    const next = publish(context, key, old)
    this.kept.delete(key)
    this.kept.set(key, next)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.most) break
      this.kept.delete(oldest)
      this.ready.delete(oldest)
    }
    const know = (page?: Kept) => {
      if (this.kept.get(key) !== next) return
      if (page !== undefined) this.ready.set(key, page)
      else {
        this.kept.delete(key)
        this.ready.delete(key)
      }
    }
    next.then(know, () => know())
    return next
  }
}

function isFresh(kept: Kept, { db, changes, now }: Context): boolean {
  const time = now()
  if (time >= kept.until) return false
  if (Math.floor(time / dayMs) !== Math.floor(kept.at / dayMs)) return false
  if (time - kept.at >= (db.engine === 'sqlite' ? longestMs : longestAmongReplicasMs)) return false
  if (kept.changes === changes.of(kept.team_id)) return true
  return kept.times >= timesASecond && time - kept.second < 1000
}

async function publish(context: Context, slug: string, old: Kept | undefined): Promise<Kept | undefined> {
  const at = context.now()
  const sameSecond = old !== undefined && at - old.second < 1000
  const pace = { at, second: sameSecond ? old.second : at, times: sameSecond ? old.times + 1 : 1 }
  // What was acknowledged is seen.
  await settleForReading(context.results)
  const read = await readStatus(context, slug, old?.closed)
  if (read === undefined) return undefined
  const { team_id, changes, payload, page, closed } = read
  const made = new Map<string, Promise<Page>>()
  const shown = once(read.shown)
  const content = JSON.stringify({ ...payload, updated_at: '' })
  const same = old?.content === content && at - Date.parse(old.payload.updated_at) < confirmedEveryMs
  const until = Math.min(nextBoundary(payload, at), read.silentAt)
  if (same)
    return {
      ...old,
      ...pace,
      until,
      team_id,
      changes,
      shown,
      page,
      made,
    }
  const body = Buffer.from(JSON.stringify(payload))
  return {
    ...pace,
    until,
    team_id,
    changes,
    content,
    payload,
    page,
    made,
    shown,
    closed,
    prepared: new Prepared(body, entityTag(body)),
  }
}

/** When a window on the page begins or ends next, by itself. */
function nextBoundary({ maintenance }: StatusPayload, now: number): number {
  const times = maintenance.flatMap(({ starts_at, ends_at }) => [Date.parse(starts_at), Date.parse(ends_at)])
  return Math.min(...times.filter(time => time > now))
}

/** The first answer for all who ask; a failure is nobody's answer but theirs who met it. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => {
    answer ??= read().catch(error => {
      answer = undefined
      throw error
    })
    return answer
  }
}
