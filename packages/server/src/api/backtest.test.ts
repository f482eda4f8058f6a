import { setImmediate } from 'node:timers/promises'
import { ApiError, type Backtest, type MonitorItem, type planRoutes } from '@watchpost/contract'
import { automaticIncidentsOf, monitorsOfTeam, type Query } from '@watchpost/store'
import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { Turns } from '../domain/turns.ts'
import type { Ask } from '../http/handler.ts'
import { backtest } from './backtest.ts'

const T = Date.parse('2026-11-21T10:00:00Z')
const item = (name: string, id?: number): MonitorItem => ({
  name,
  type: 'http',
  target: 'http://a.example/',
  ...(id === undefined ? {} : { id }),
})

/** A team of monitors nobody has looked at, and what asks for a backtest of some. */
class Stage {
  now = T
  gone = false
  /** Monitors that were read so far. */
  replayed: number[] = []
  /** Done each time one is read. */
  reading: () => unknown = () => undefined
  private readonly rows: { id: number; name: string; team_id: number; interval_s: number }[]
  private readonly context: Context

  constructor(...names: string[]) {
    this.rows = names.map((name, index) => ({ id: index + 1, name, team_id: 1, interval_s: 60 }))
    const all = async (query: Query, params: { monitor_id?: number }) => {
      if (query === monitorsOfTeam) return this.rows
      if (query !== automaticIncidentsOf) throw new Error(query.name)
      this.replayed.push(params.monitor_id as number)
      await this.reading()
      return []
    }
    const db = { all, one: async () => undefined }
    const tables = { between: async () => [] }
    this.context = { db, results: { tables }, now: () => this.now, backtests: new Turns(2, 1) } as unknown as Context
  }

  ask(monitors: MonitorItem[], team_id = 1): Promise<Backtest> {
    const body = { resources: { monitors }, since: new Date(T - 60_000).toISOString() }
    const { context } = this
    const asked = { body, caller: { team_id }, context, isGone: () => this.gone }
    return backtest(asked as unknown as Ask<typeof planRoutes.backtestResources>)
  }
}

test('a monitor that two items mean is refused by name, and none is replayed', async () => {
  const stage = new Stage('A', 'B', 'B')
  const twice = { errors: { 'resources.monitors.2.name': expect.stringContaining('twice') } }
  await expect(stage.ask([item('A'), item('B', 2), item('A')])).rejects.toMatchObject(twice)
  await expect(stage.ask([item('B', 2), item('A'), item('B')])).rejects.toMatchObject(twice)
  expect(stage.replayed).toEqual([])
  expect((await stage.ask([item('B', 2), item('B', 3), item('New'), item('New')])).unknown).toEqual(['New'])
  expect(stage.replayed).toEqual([2, 3])
})

test('it ends when its time is over, and says so', async () => {
  const stage = new Stage('A', 'B', 'C', 'D')
  stage.reading = () => {
    stage.now += 8000
  }
  const { monitors, notes } = await stage.ask(['A', 'B', 'C', 'D'].map(name => item(name)))
  expect(monitors.map(({ name }) => name)).toEqual(['A', 'B'])
  expect(notes).toContainEqual(expect.stringContaining('2 of 4 monitors'))
  stage.reading = () => undefined
  const whole = await stage.ask(['A', 'B', 'C', 'D'].map(name => item(name)))
  expect([whole.monitors.length, whole.notes.length]).toEqual([4, 1])
})

test('others have their turn between two monitors', async () => {
  const stage = new Stage('A', 'B', 'C')
  let turns = 0
  const others = (async () => {
    for (; turns < 100; turns++) await setImmediate()
  })()
  const seen: number[] = []
  stage.reading = () => seen.push(turns)
  await stage.ask(['A', 'B', 'C'].map(name => item(name)))
  expect(new Set(seen).size).toBe(3)
  turns = 100
  await others
})

test('it ends when nobody waits for it', async () => {
  const stage = new Stage('A', 'B')
  stage.reading = () => {
    stage.gone = true
  }
  await stage.ask([item('A'), item('B')])
  expect(stage.replayed).toEqual([1])
})

test('a team has one at a time, however the last one ended', async () => {
  const stage = new Stage('A')
  const gate = Promise.withResolvers<void>()
  stage.reading = () => gate.promise
  const first = stage.ask([item('A')])
  await expect(stage.ask([item('A')])).rejects.toMatchObject({ code: 'unavailable', retryAfter: 5 })
  const other = stage.ask([item('A')], 2)
  gate.resolve()
  expect([(await first).monitors.length, (await other).monitors.length]).toEqual([1, 1])
  stage.reading = () => {
    throw new ApiError('unavailable', 'the store is away')
  }
  await expect(stage.ask([item('A')])).rejects.toThrow('the store is away')
  stage.reading = () => undefined
  expect((await stage.ask([item('A')])).monitors).toHaveLength(1)
})
