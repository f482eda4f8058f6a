import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { castOf, type People } from '../people.ts'
import { httpTarget, type Target } from '../targets.ts'
import { eventually, type Running, World } from '../world.ts'

// Trying a target before it is saved: by the probe beside the server, which has no other way to be asked.
let world: World
let people: People
let target: Target
let server: Running

const start = async (withProbe: boolean) => {
  const ports = ['--listen', '127.0.0.1:0', '--otlp-listen', 'off']
  server = world.start('watchpost-server', [
    'serve',
    ...(withProbe ? ['--with-probe'] : []),
    ...world.storage,
    ...ports,
  ])
  world.url = (await server.event<{ url: string }>('listening')).url
}
const body = (more: object = {}) => ({ type: 'http', target: target.monitor.target, ...more })

beforeAll(async () => {
  world = await World.create({ env: { WATCHPOST_REGISTRATION: 'open' } })
  await start(true)
  people = await castOf(world)
  target = await httpTarget()
})
afterAll(async () => {
  await world?.close()
  await target?.stop().catch(() => undefined)
})

test('what a monitor would see is told at once, and nothing is kept', async () => {
  const { owner, member } = people
  const seen = await eventually('a probe', async () => {
    const answer = await member.post('/v1/monitors/test', body())
    return answer.status === 200 && answer.body.data
  })
  expect(seen).toMatchObject({ status: 'online', error_kind: null })
  expect(seen.response_time_ms).toBeGreaterThan(0)
  expect(seen.timings.connect_ms).toBeGreaterThanOrEqual(0)
  const missing = await member.post('/v1/monitors/test', body({ options: { keyword: 'not there' } }))
  expect(missing.body.data).toMatchObject({ status: 'offline', error_kind: 'keyword_missing' })
  const { data } = (await owner.get('/v1/monitors')).body
  expect(data.filter(({ type }: { type: string }) => type !== 'server')).toEqual([])
})

test('several at once get each their own answer', async () => {
  await target.stop()
  const down = people.owner.post('/v1/monitors/test', body({ timeout: 2 }))
  const other = await httpTarget()
  const up = people.owner.post('/v1/monitors/test', body({ target: other.monitor.target }))
  expect([(await down).body.data.status, (await up).body.data.status]).toEqual(['offline', 'online'])
  await other.stop()
  await target.start()
})

test('a team has four looks at a time, and leaves the others theirs', async () => {
  const { owner, stranger } = people
  // Takes what comes, and never answers.
  const silent = createServer()
  const looked = Promise.withResolvers<void>()
  let count = 0
  silent.on('connection', socket => {
    socket.on('error', () => undefined)
    count++
    if (count === 4) looked.resolve()
  })
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  const mine = Array.from({ length: 5 }, () =>
    owner.post('/v1/monitors/test', body({ target: `http://127.0.0.1:${port}/`, timeout: 4 })),
  )
  await looked.promise
  const theirs = await stranger.post('/v1/monitors/test', body({ target: 'http://nowhere.invalid/', timeout: 4 }))
  expect(theirs.status, JSON.stringify(theirs.body)).toBe(200)
  const answers = await Promise.all(mine)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503])
  expect(answers.find(({ status }) => status === 503)?.body).toMatchObject({ code: 'unavailable', retry_after: 5 })
  expect((await owner.post('/v1/monitors/test', body())).status).toBe(200)
  silent.close()
})

test('it is refused as a monitor would be: fields, roles, and what is not for strangers', async () => {
  const { viewer, stranger, owner } = people
  expect((await viewer.post('/v1/monitors/test', body())).status).toBe(403)
  const wrong = await owner.post('/v1/monitors/test', body({ options: { keywrod: 'a' }, timeout: 100 }))
  expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([422, ['options.keywrod', 'timeout']])
  const outside = await stranger.post('/v1/monitors/test', body())
  expect([outside.status, Object.keys(outside.body.errors)]).toEqual([422, ['target']])
})

test('where no probe runs beside the server it says so', async () => {
  await server.stop()
  await start(false)
  const { status, body: answer } = await people.owner.post('/v1/monitors/test', body())
  expect([status, answer.code]).toEqual([503, 'unavailable'])
})
