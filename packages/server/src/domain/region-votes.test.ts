import type { Quorum } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { castVote, nextRegionSlot, type RegionVote, type RegionVotes } from './region-votes.ts'
import type { MonitorState, Policy } from './transition.ts'

const T = Date.parse('2026-11-21T10:00:00Z')
const policy: Policy = {
  monitor_id: 7,
  interval_s: 60,
  timeout_s: 10,
  confirmations: 2,
  retry_interval_s: 5,
  counts_from: 0,
}

/** A monitor of three regions, with one probe in each: 1, 2 and 3; probe 4 is elsewhere. */
class Watched {
  readonly votes: RegionVotes
  state: MonitorState = { status: 'pending', failures: 0, last_check_at: null, response_time_ms: null, due_at: null }

  constructor(quorum: Quorum, since = T) {
    const regions: RegionVote[] = ['a', 'b', 'c'].map(region => ({
      region,
      since,
      status: 'pending',
      failures: 0,
      last_check_at: null,
      response_time_ms: null,
      probe_id: null,
      due_at: since,
      moved: false,
    }))
    this.votes = { quorum, regions, ofProbe: new Map(regions.map((vote, index) => [index + 1, vote])) }
  }

  /** `1u 2d`: probe 1 saw it up, then probe 2 down, a second apart; `e` is trouble of the probe. @returns statuses */
  see(text: string, from: number): string[] {
    return text.split(' ').map((word, index) => {
      const status = ({ u: 'online', d: 'offline', e: 'error' } as const)[word[1] as 'u']
      const seen = { status, response_time_ms: 5, checked_at: from + index * 1000, probe_id: Number(word[0]) }
      this.state = castVote(this.state, this.votes, seen, policy).state
      return this.state.status
    })
  }

  last(text: string, from = T): string | undefined {
    return this.see(text, from).at(-1)
  }
}

const minutes = (count: number) => T + count * 60_000

test.each<[string, Quorum, string, string]>([
  ['each region needs confirmations of its own', 'any', '1u 1d 2d 3d', 'online'],
  ['any: one region is enough', 'any', '1u 2u 3u 1d 1d', 'offline'],
  ['majority: one of three is not', 'majority', '1u 2u 3u 1d 1d', 'online'],
  ['majority: two of three are', 'majority', '1u 2u 3u 1d 1d 2d 2d', 'offline'],
  ['all: two are not', 'all', '1u 2u 3u 1d 1d 2d 2d', 'online'],
  ['all: three are', 'all', '1d 1d 2d 2d 3d 3d', 'offline'],
  ['all: those that have not had the time to look are waited for', 'all', '1d 1d', 'pending'],
  ['a number', 2, '1u 1d 1d 3d 3d', 'offline'],
  ['back when the quorum is none any more', 2, '1d 1d 3d 3d 3u', 'online'],
  ['still down where one recovers and a quorum stays', 'any', '1d 1d 3d 3d 3u', 'offline'],
  ['a success in between begins anew', 'any', '1u 1d 1u 1d', 'online'],
  ['trouble of the probe is no vote', 'any', '1u 1d 1e 1e', 'online'],
  ['a probe elsewhere has no vote', 'any', '1u 4d 4d 4d', 'online'],
])('%s', (_, quorum, seen, expected) => {
  expect(new Watched(quorum).last(seen)).toBe(expected)
})

test('a region that nobody watches any more is no vote for either side', () => {
  const watched = new Watched('majority')
  watched.see('1u 2u 3u', T)
  // Three intervals later b and c have said nothing.
  expect(watched.last('1d 1d', minutes(4))).toBe('offline')
  const counted = new Watched(2)
  counted.see('1u 2d 2d', T)
  expect(counted.state.status).toBe('online')
  expect(counted.last('1d 1d', minutes(4))).toBe('online')
})

test('a late result, and one of a check that began before the settings, moves nothing', () => {
  const watched = new Watched('any')
  watched.see('1u', minutes(1))
  expect(watched.last('1d 1d', T)).toBe('online')
  const seen = { status: 'offline', response_time_ms: null, checked_at: T, probe_id: 2 } as const
  const changed = castVote(watched.state, watched.votes, seen, { ...policy, counts_from: T + 1 })
  expect(changed.state).toBe(watched.state)
})

test('the monitor shows the newest look of any region', () => {
  const watched = new Watched('any')
  watched.see('1u', minutes(1))
  watched.see('2u', T + 30_000)
  expect(watched.state.last_check_at).toBe(minutes(1))
})

test('a failure is looked at again soon in its own region; regions have parts of the interval', () => {
  const watched = new Watched('any')
  watched.see('1u 2u 3u', T)
  const due = watched.votes.regions.map(vote => ((vote.due_at ?? 0) - T) % 60_000)
  const [a = 0, b = 0, c = 0] = due
  expect([(b - a + 60_000) % 60_000, (c - b + 60_000) % 60_000]).toEqual([20_000, 20_000])
  const [, second] = watched.votes.regions as [RegionVote, RegionVote, RegionVote]
  const at = (second.due_at ?? 0) + 1
  watched.see('2d', at)
  expect(second.due_at).toBe(at + 5000)
  expect(nextRegionSlot(policy, watched.votes, second, at)).toBe(at - 1 + 60_000)
})
