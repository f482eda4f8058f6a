import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queueTo } from './queue.ts'

interface Sent {
  at: number
  events: { n: number }[]
}
let sent: Sent[]
let beacons: { n: number }[][]
/** What the server answers next, 200 where nothing is said. */
let answers: (Response | Error)[]
let began: number

beforeEach(() => {
  vi.useFakeTimers({ now: 1_763_717_400_000 })
  began = Date.now()
  sent = []
  beacons = []
  answers = []
  vi.stubGlobal('fetch', async (_url: string, { body, keepalive }: { body: string; keepalive: boolean }) => {
    // As browsers do.
    if (keepalive && Buffer.byteLength(body) > 65_536) throw new TypeError('Failed to fetch')
    sent.push({ at: Date.now() - began, events: JSON.parse(body) })
    const answer = answers.shift() ?? new Response('{}')
    if (answer instanceof Error) throw answer
    return answer
  })
  vi.stubGlobal('navigator', {
    onLine: true,
    sendBeacon: (_url: string, body: string) => beacons.push(JSON.parse(body)) > 0,
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const event = (n: number, more: object = {}) => ({ type: 'custom', n, ...more })
const refusal = (status: number, seconds?: number) =>
  new Response('', { status, headers: seconds === undefined ? {} : { 'retry-after': String(seconds) } })
const numbers = () => sent.flatMap(({ events }) => events.map(({ n }) => n))

test('what comes within five seconds goes together, and much at once goes at once', async () => {
  const queue = queueTo('https://a.example/?k=1')
  queue.add(event(1))
  queue.add(event(2))
  await vi.advanceTimersByTimeAsync(4999)
  expect(sent).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(numbers()).toEqual([1, 2])
  for (let n = 3; n < 43; n++) queue.add(event(n))
  await vi.advanceTimersByTimeAsync(0)
  expect(sent[1]?.events).toHaveLength(40)
})

test('a refusal that may pass is waited for, longer each time, and nothing is lost or sent twice', async () => {
  const queue = queueTo('https://a.example/?k=1')
  answers = [new Error('no network'), refusal(503), refusal(500)]
  queue.add(event(1))
  await vi.advanceTimersByTimeAsync(60_000)
  const waits = sent.slice(1).map(({ at }, index) => at - (sent[index] as Sent).at)
  expect(waits).toHaveLength(3)
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeGreaterThanOrEqual(1000 * 2 ** index)
    expect(wait).toBeLessThanOrEqual(1500 * 2 ** index + 5000)
  }
  await vi.advanceTimersByTimeAsync(600_000)
  expect(sent).toHaveLength(4)
})

test('429 is waited for as long as it says, also by what comes meanwhile', async () => {
  const queue = queueTo('https://a.example/?k=1')
  answers = [refusal(429, 120)]
  queue.add(event(1))
  await vi.advanceTimersByTimeAsync(5000)
  for (let n = 2; n < 60; n++) queue.add(event(n))
  await vi.advanceTimersByTimeAsync(119_000)
  expect(sent).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(numbers().slice(1)).toEqual(Array.from({ length: 59 }, (_, index) => index + 1))
})

test('a refusal that stays is not asked again', async () => {
  const queue = queueTo('https://a.example/?k=1')
  answers = [refusal(403)]
  queue.add(event(1))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(sent).toHaveLength(1)
})

test('put away, all goes in beacons that fit together, unless there is no network', async () => {
  const queue = queueTo('https://a.example/?k=1')
  for (let n = 0; n < 30; n++) queue.add(event(n, { text: 'x'.repeat(5000) }))
  vi.stubGlobal('navigator', { ...navigator, onLine: false })
  queue.leave()
  expect(beacons).toEqual([])
  vi.stubGlobal('navigator', { ...navigator, onLine: true })
  queue.leave()
  expect(beacons.flat().map(({ n }) => n)).toEqual(Array.from({ length: 30 }, (_, n) => n))
  for (const events of beacons) expect(JSON.stringify(events).length).toBeLessThan(60_000)
})

test('at most 200 wait, the oldest go', async () => {
  const queue = queueTo('https://a.example/?k=1')
  answers = [refusal(503, 3000)]
  queue.add(event(0))
  await vi.advanceTimersByTimeAsync(5000)
  for (let n = 1; n < 300; n++) queue.add(event(n))
  queue.leave()
  expect(beacons.flat().map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, index) => index + 100))
})

test('what is larger than may outlive the page holds nothing else up, whatever its letters', async () => {
  const queue = queueTo('https://a.example/?k=1')
  answers = [refusal(413)]
  queue.add(event(1, { data: 'x'.repeat(70_000) }))
  for (let n = 2; n < 40; n++) queue.add(event(n, { message: '語'.repeat(700) }))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(numbers()).toEqual(Array.from({ length: 39 }, (_, at) => at + 1))
})
