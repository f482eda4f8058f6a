import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { httpsTarget, httpTarget, type Target } from '../targets.ts'
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

/** A server whose paths answer in ways that a careless probe gets wrong. */
async function odd(): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url, method }, response) => {
    if (url === '/moved') return void response.writeHead(302, { location: '/fine' }).end()
    if (url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
    if (url === '/post') return void response.writeHead(method === 'POST' ? 200 : 405).end()
    response.writeHead(url === '/teapot' ? 418 : 200).end('all is well')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

test('a probe of a few lines of shell and curl brings a monitor online and offline', async () => {
  const owner = new Person(world, world.credentials.api_token)
  const { token } = await world.ctl<{ token: string }>('probes', 'create', '--name', 'shell')
  const options = { retry_interval: 1, confirmations: 2 }
  const { body } = await owner.post('/v1/monitors', {
    name: 'web',
    interval: 10,
    timeout: 2,
    ...target.monitor,
    options,
  })
  // What each look is to say, and its words.
  const server = await odd()
  const secure = await httpsTarget()
  const { url } = server
  const cases: [Record<string, unknown>, string, string | null, RegExp?][] = [
    [{ target: `${url}/moved` }, 'online', null],
    [{ target: `${url}/moved`, options: { follow_redirects: false } }, 'offline', 'http_status', /302/],
    [{ target: `${url}/moved`, options: { max_redirects: 0 } }, 'offline', 'http_too_many_redirects'],
    [{ target: `${url}/loop` }, 'offline', 'http_too_many_redirects', /redirects/],
    [{ target: `${url}/post` }, 'offline', 'http_status', /405/],
    [{ target: `${url}/post`, method: 'post' }, 'online', null],
    [{ target: `${url}/teapot`, options: { expected_status: [201, '400-499'] } }, 'online', null],
    [{ target: `${url}/fine?q={a,b}[1-3]` }, 'online', null],
    [{ target: `${url}/fine`, options: { keyword: 'well' } }, 'error', 'probe_internal', /keyword/],
    [{ type: 'tcp', target: '127.0.0.1:1' }, 'error', 'probe_internal', /tcp/],
    [{ ...secure.monitor, ssl_verify: false }, 'online', null],
    [{ ...secure.monitor, ssl_verify: true }, 'offline', null, /certificate/],
  ]
  const made: number[] = []
  for (const [index, [fields]] of cases.entries()) {
    const each = { name: `case ${index}`, type: 'http', interval: 60, timeout: 5, ...fields }
    made.push((await owner.post('/v1/monitors', each)).body.data.id)
  }
  const status = async () => (await owner.get(`/v1/monitors/${body.data.id}`)).body.data.status

  probe = spawn('examples/shell-probe/probe.sh', {
    stdio: 'inherit',
    env: { ...process.env, WATCHPOST_URL: world.url, WATCHPOST_PROBE_TOKEN: token },
  })
  await eventually('online', async () => (await status()) === 'online')
  for (const [index, [fields, verdict, kind, words]] of cases.entries()) {
    const said = async () => (await owner.get(`/v1/monitors/${made[index]}/checks?per_page=1`)).body.data[0]
    await eventually('looked at', async () => (await said()) !== undefined)
    expect(await said(), JSON.stringify(fields)).toMatchObject({ status: verdict, error_kind: kind })
    if (words) expect((await said()).error_message, JSON.stringify(fields)).toMatch(words)
  }
  server.close()
  await secure.stop()
  await target.stop()
  await eventually('offline', async () => (await status()) === 'offline')
  const { body: checks } = await owner.get(`/v1/monitors/${body.data.id}/checks?per_page=1`)
  expect(checks.data[0]).toMatchObject({ probe: 'shell', status: 'offline', response_time_ms: null })
})
