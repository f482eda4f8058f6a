import { runId } from '@watchpost/contract'
import type { Query, Step } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OneMonitor } from './testing/one-monitor.ts'
import { ResultWriter } from './writer.ts'

const minute = 60_000
const day = 86_400_000
const query = (sql: string): Query => ({ name: sql, sql })

eachEngine((engine, newPlace) => {
  let place: Place
  let one: OneMonitor
  beforeEach(async () => {
    place = await newPlace()
    one = await OneMonitor.on(place)
  })
  afterEach(async () => {
    await one.writer.close()
    await one.db.close()
    await place.remove()
  })
  const iso = (at: number) => new Date(at).toISOString()
  const named = (due_at: number, nonce = 1) => runId({ monitor_id: 1, due_at, nonce })
  const total = async () => (await one.seen()).checks.length
  const rows = (sql: string) => one.db.all<Record<string, string | number>>({ name: sql, sql }, {})

  describe('the same run is one check', () => {
    test.each([
      ['as the server names it', (index: number) => named(one.now - 5, index)],
      ['of any text', (index: number) => `run ${index}`],
      ['that only looks like ours', (index: number) => runId({ monitor_id: 2, due_at: one.now, nonce: index })],
    ])('%s: in one batch, at once, and later', async (_, id) => {
      const [first, second] = [{ run_id: id(1) }, { run_id: id(2) }]
      const twice = [first, first, second]
      await Promise.all([one.send(twice), one.send([second]), one.send(twice)])
      expect(await total()).toBe(2)
      for (let at = 0; at < 70; at++) {
        one.now += minute
        await one.send([{}])
      }
      expect(await one.send(twice)).toMatchObject(Array(3).fill({ status: 'online' }))
      // A replica, or this process after its end.
      await one.writer.close()
      one.writer = one.another()
      expect(await one.send([first])).toHaveLength(1)
      expect(await total()).toBe(72)
      expect((await one.seen()).monitor).toMatchObject({ uptime_24h: 100 })
    })

    test('days later, and whatever time it says', async () => {
      const due = one.now
      await one.send([
        { run_id: named(due) },
        { run_id: named(due - 3 * day, 2), checked_at: iso(due) },
        { run_id: 'x' },
      ])
      for (let at = 0; at < 6; at++) {
        one.now += day
        await one.send([{}])
      }
      for (const checked_at of [due, due + minute, one.now].map(iso)) {
        await one.send([{ run_id: named(due), checked_at }])
        await one.send([{ run_id: named(due - 3 * day, 2), checked_at }])
        await one.send([{ run_id: 'x', checked_at }])
      }
      expect(await total()).toBe(9)
    })

    test('but runs of one time that differ, and results without an id, are each one', async () => {
      await one.send([{ run_id: named(one.now, 1) }, { run_id: named(one.now, 2) }, {}, {}])
      expect(await total()).toBe(4)
    })
  })

  test('what was accepted is there for a process that comes after, and counts once', async () => {
    for (let index = 0; index < 150; index++) {
      one.now += minute
      await one.send([{ run_id: named(one.now), status: index % 50 === 0 ? 'offline' : 'online' }])
      // Some of it has come to the rows.
      if (index === 70) await one.writer.settle()
    }
    // Without a word: the writer before is never asked again.
    const before = one.writer
    one.writer = one.another()
    await one.writer.open()
    const { checks, monitor } = await one.seen()
    expect(checks.length).toBe(150)
    expect(monitor).toMatchObject({ status: 'online', last_check_at: one.now, uptime_24h: 98 })
    expect(await rows('select id from result_journal')).toEqual([])
    await one.send([{ run_id: named(one.now) }])
    expect(await total()).toBe(150)
    expect(before).not.toBe(one.writer)
  })

  test('an entry of the journal that some rows hold already is taken up for the others only', async () => {
    const two = await OneMonitor.on(await newPlace(), 2)
    const both = [{ monitor_id: 1 }, { monitor_id: 2 }]
    await two.send(both)
    two.now += minute
    await two.send(both)
    // Monitor 1 is written, while the journal stays for the sake of monitor 2.
    await two.writer.exclusively(1, async () => undefined)
    two.writer = two.another()
    await two.writer.open()
    expect((await two.seen()).checks.length).toBe(2)
    expect(await two.db.all(query('select seq from monitor_states'), {})).toEqual([{ seq: 2 }, { seq: 2 }])
    await two.db.close()
  })

  test('what could not be kept is not taken for kept, and counts once when it is sent again', async () => {
    await one.send([{}])
    const commit = one.db.commit
    one.db.commit = () => Promise.reject(new Error('the disk is full'))
    one.now += minute
    const result = { run_id: named(one.now) }
    await expect(one.send([result, result])).rejects.toThrow('the disk is full')
    one.db.commit = commit
    await one.send([result])
    const { checks, monitor } = await one.seen()
    expect([checks.length, monitor?.seq]).toEqual([2, 2])
  })

  test('results of a batch are judged in their order, and each change is told', async () => {
    const at = (index: number) => iso(one.now - 60_000 + index * 1000)
    const statuses = ['online', 'offline', 'offline', 'online', 'offline', 'offline'] as const
    const answers = await one.send(statuses.map((status, index) => ({ status, checked_at: at(index) })))
    expect(answers.map(answer => ('status' in answer ? answer.status : answer))).toEqual([
      'online',
      'online',
      'offline',
      'online',
      'online',
      'offline',
    ])
    expect((await one.changes()).sort()).toEqual(['offline', 'offline', 'online', 'online'])
    expect(await total()).toBe(6)
  })

  test('a monitor that was deleted is not found, and one that was changed is judged by what it is', async () => {
    await one.send([{}])
    const other = one.another()
    // Who changes it in this process says so; another replica's change is found by the count.
    const change = (sql: string) => {
      const work = () => one.db.commit([{ query: query(sql), params: {} }])
      return engine === 'postgres' ? work() : one.writer.exclusively(1, work)
    }
    await change(`update monitors set options = '{"confirmations":1}', name = 'Till'`)
    await change('update monitor_states set seq = seq + 1')
    expect(await one.send([{ status: 'offline' }])).toMatchObject([{ status: 'offline' }])
    const [{ body } = { body: '' }] = await rows('select body from outbox where body like \'%"offline"%\'')
    expect(JSON.parse(String(body)).data.monitor_name).toBe('Till')
    await change('delete from monitor_states')
    await change('delete from monitors')
    expect(await one.send([{}])).toMatchObject([{ code: 'not_found' }])
    expect(await one.send([{}], other)).toMatchObject([{ code: 'not_found' }])
  })

  test('a monitor that cannot be read has its results refused, and no others', async () => {
    const place = await newPlace()
    const two = await OneMonitor.on(place, 2)
    const damage = { name: 'damage', sql: "update monitors set options = '{' where id = 1" }
    await two.db.commit([{ query: damage, params: {} }])
    const answers = await Promise.all([1, 2].map(monitor_id => two.send([{ monitor_id }])))
    expect(answers).toMatchObject([[{ code: 'conflict' }], [{ status: 'online' }]])
    expect(await two.send([{ monitor_id: 1 }, { monitor_id: 2 }])).toMatchObject([
      { message: expect.stringContaining('Monitor 1 cannot be judged') },
      { status: 'online' },
    ])
    await two.db.close()
    await place.remove()
  })

  test('whoever changes a monitor sees all its results, and those that come meanwhile wait', async () => {
    await one.send([{}])
    let waiting: Promise<unknown> | undefined
    await one.writer.exclusively(1, async () => {
      waiting = one.send([{}])
      const [row] = await rows('select seq from monitor_states')
      expect(row?.seq).toBe(1)
    })
    await waiting
    expect((await one.seen()).monitor?.seq).toBe(2)
  })

  if (engine === 'postgres')
    test('replicas share a monitor: nothing is lost or counted twice', async () => {
      const replicas = [one.writer, one.another(), one.another()]
      const sent = Array.from({ length: 90 }, (_, index) => {
        const result = { run_id: named(one.now - 60_000 + index), checked_at: iso(one.now - 60_000 + index) }
        // Each run comes twice, to two of them.
        return [0, 1].map(twice => one.send([result], replicas[(index + twice) % 3] as ResultWriter))
      })
      await Promise.all(sent.flat())
      const { checks, monitor } = await one.seen()
      expect([checks.length, monitor?.seq]).toEqual([90, 90])
    })
})

test('many monitors share a commit, and one that conflicts does not hold up the others', async () => {
  const { newPlace } = await import('@watchpost/store/testing')
  const place = await newPlace('postgres')
  const one = await OneMonitor.on(place, 3)
  const all = [1, 2, 3].map(monitor_id => ({ monitor_id }))
  await one.send(all)
  let commits = 0
  const counting = Object.assign(Object.create(one.db), {
    all: one.db.all.bind(one.db),
    one: one.db.one.bind(one.db),
    commit: (steps: Step[]) => {
      commits++
      return one.db.commit(steps)
    },
  })
  const writer = new ResultWriter({ ...one.given(), db: counting })
  one.now += minute
  await one.send(all, writer)
  expect(commits).toBe(1)
  // The first writer remembers less than there is.
  one.now += minute
  const answers = await one.send(all)
  expect(answers.map(answer => 'status' in answer)).toEqual([true, true, true])
  expect((await one.seen()).checks.length).toBe(3)
  await one.db.close()
  await place.remove()
})
