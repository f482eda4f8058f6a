import { type Db, takeIds } from '@watchpost/store'

/** What has ids of its own; a noun's ids are unique among all teams. */
export type Noun =
  | 'team'
  | 'user'
  | 'token'
  | 'probe'
  | 'monitor'
  | 'channel'
  | 'status_page'
  | 'incident'
  | 'maintenance_window'
  | 'app'
  | 'invitation'
  | 'subscriber'

/** A new id; one that a failed commit leaves unused is never given again. */
export async function takeId(db: Db, noun: Noun): Promise<number> {
  const [[row] = []] = await db.commit([{ query: takeIds, params: { name: noun, count: 1 } }])
  return (row as { value: number }).value
}

/** Several new ids in a row. */
export async function takeManyIds(db: Db, noun: Noun, count: number): Promise<number[]> {
  if (count === 0) return []
  const [[row] = []] = await db.commit([{ query: takeIds, params: { name: noun, count } }])
  const last = (row as { value: number }).value
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}

/** The id in a path, or undefined where it is no positive integer: such a resource cannot exist (ruling 3). */
export function pathId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}
