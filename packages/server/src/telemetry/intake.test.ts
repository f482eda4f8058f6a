import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Intake } from './intake.ts'
import type { Keeper } from './keeper.ts'
import type { Answer } from './protocol.ts'

const span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' }
const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** An intake, how many requests each commit had, and the answers; a commit is over when it is let go on. */
function intakeOf() {
  const commits: number[] = []
  const answered: number[] = []
  const held: (() => void)[] = []
  const keeper = {
    keep: async (entries: { id: number }[]) => {
      commits.push(entries.length)
      await new Promise<void>(resolve => held.push(resolve))
      return { answers: entries.map(({ id }) => ({ id, status: 200, rejected: 0, reason: '' })), counted: [] }
    },
  } as unknown as Keeper
  const refused: number[] = []
  const tell = (answers: Answer[]) => {
    for (const { id, status } of answers) (status === 200 ? answered : refused).push(id)
  }
  const intake = new Intake(keeper, 1_000_000, tell, error => {
    throw error
  })
  let id = 0
  const take = (count: number, more = false) => {
    const app = { team_id: 1, id: 1, name: 'shop' }
    const about = { app, signal: 'traces', media: 'application/json', encoding: 'identity' } as const
    for (let at = 0; at < count; at++) {
      id++
      intake.take({ id, ...about, body: new Uint8Array(Buffer.from(body)), at: Date.now() }, more)
    }
  }
  const finish = async () => {
    held.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { intake, commits, answered, refused, take, finish }
}

test('a lone request is kept at once, and those that come meanwhile together', async () => {
  const { commits, answered, take, finish } = intakeOf()
  take(1)
  expect(commits).toEqual([1])
  take(5)
  await finish()
  expect(commits).toEqual([1, 5])
  await finish()
  expect(answered).toEqual([1, 2, 3, 4, 5, 6])
})

test('a lone request waits for nobody once a crowd is over', async () => {
  const { commits, take, finish } = intakeOf()
  take(16, true)
  await vi.advanceTimersByTimeAsync(25)
  await finish()
  await vi.advanceTimersByTimeAsync(1000)
  take(1)
  expect(commits).toEqual([16, 1])
})

test('after a commit of many the next waits for the others, until it is full or for a moment', async () => {
  const { commits, take, finish } = intakeOf()
  take(16, true)
  await vi.advanceTimersByTimeAsync(25)
  take(1)
  await finish()
  take(20)
  expect(commits).toEqual([16])
  await vi.advanceTimersByTimeAsync(24)
  expect(commits).toEqual([16])
  await vi.advanceTimersByTimeAsync(1)
  expect(commits).toEqual([16, 21])
  // As many as a commit may have: those wait for nobody.
  take(70)
  await finish()
  expect(commits).toEqual([16, 21, 64])
  // The crowd is over.
  await finish()
  await vi.advanceTimersByTimeAsync(25)
  expect(commits).toEqual([16, 21, 64, 6])
  await finish()
  take(1)
  expect(commits).toEqual([16, 21, 64, 6, 1])
})

test('what has waited too long is refused, and what came later is kept', async () => {
  const { commits, answered, refused, take, finish } = intakeOf()
  take(1)
  // As many as may be read ahead, and two more.
  take(66)
  await vi.advanceTimersByTimeAsync(5001)
  take(1)
  await finish()
  await finish()
  await vi.advanceTimersByTimeAsync(25)
  await finish()
  expect([commits, refused]).toEqual([
    [1, 64, 1],
    [66, 67],
  ])
  expect(answered.length).toBe(66)
})
