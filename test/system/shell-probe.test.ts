import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { httpTarget, type Target } from '../targets.ts'
import { eventually, World } from '../world.ts'

let world: World
let target: Target
let probe: ReturnType<typeof spawn>

beforeAll(async () => {
  world = await World.create()
  await world.server()
  target = await httpTarget()
})
afterAll(async () => {
  probe?.kill('SIGKILL')
  await world.close()
  await target.stop()
})

test('a probe of a few lines of shell and curl brings a monitor online and offline', async () => {
  const owner = new Person(world, world.credentials.api_token)
  const { token } = await world.ctl<{ token: string }>('probes', 'create', '--name', 'shell')
  const options = { retry_interval: 1 }
  const { body } = await owner.post('/v1/monitors', {
    name: 'web',
    interval: 10,
    timeout: 2,
    ...target.monitor,
    options,
  })
  const status = async () => (await owner.get(`/v1/monitors/${body.data.id}`)).body.data.status

  probe = spawn('examples/shell-probe/probe.sh', {
    stdio: 'inherit',
    env: { ...process.env, WATCHPOST_URL: world.url, WATCHPOST_PROBE_TOKEN: token },
  })
  await eventually('online', async () => (await status()) === 'online')
  await target.stop()
  await eventually('offline', async () => (await status()) === 'offline', 25_000)
  const { body: checks } = await owner.get(`/v1/monitors/${body.data.id}/checks?per_page=1`)
  expect(checks.data[0]).toMatchObject({ probe: 'shell', status: 'offline', response_time_ms: null })
})
