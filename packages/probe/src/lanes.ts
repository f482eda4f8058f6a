/**
 * Checks that are slow together: one dead resolver makes every DNS check wait for its deadline. Each lane has a part of the
 * places that no other may take, so that a storm in one delays none of the others. Pings have places of their own: they
 * share processes, and may be many more at once.
 */
export const laneNames = ['web', 'tcp', 'ssl', 'dns', 'ping'] as const
export type LaneName = (typeof laneNames)[number]

export function laneOf(type: string): LaneName {
  return type === 'http' || type === 'https' ? 'web' : laneNames.includes(type as LaneName) ? (type as LaneName) : 'web'
}

/** Share of all places kept for a lane that is in use. */
const reserved: Record<LaneName, number> = { web: 1 / 4, tcp: 1 / 8, ssl: 1 / 8, dns: 1 / 8, ping: 0 }

/** What is to be known of a lane to say whether it may begin one more. */
export interface LaneState {
  name: LaneName
  running: number
  /** Never more than this many, whatever is free. */
  limit: number
  /** Whether this probe has ever had such a check: for those that it has not, no place is kept. */
  used: boolean
}

/** Whether `lane` may begin one more check when `places` may run at once. */
export function mayBegin(lane: LaneState, lanes: readonly LaneState[], places: number): boolean {
  if (lane.running >= lane.limit) return false
  if (lane.name === 'ping') return true
  let free = places
  let owed = 0
  for (const other of lanes) {
    if (other.name === 'ping') continue
    free -= other.running
    if (other === lane || !other.used) continue
    const share = Math.min(other.limit, Math.floor(places * reserved[other.name]))
    owed += Math.max(0, share - other.running)
  }
  return free > owed
}
