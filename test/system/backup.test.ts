import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { type Running, runProgram, World } from '../world.ts'

const apps = '/api/observability/apps'
const hex = (bytes: number) => randomBytes(bytes).toString('hex')

let world: World
let server: Running
let owner: Person
const receiver = new Receiver()
// No key in the environment: it is made in the data directory.
const env = { WATCHPOST_INSTANCE_KEY: '' }
const program = (...args: string[]) => runProgram('watchpost-server', args, world.env)

beforeAll(async () => {
  world = await World.create({ env })
  server = await world.server()
  owner = new Person(world, world.credentials.api_token)
})
afterAll(async () => {
  await receiver.stop()
  await world?.close()
})

test('a backup of a server under load, restored elsewhere after kill -9, is that server', async () => {
  const backup = join(world.dir, 'backup')
  const app = (await owner.post(apps, { name: 'Shop' })).body.data
  await owner.post('/v1/monitors', { name: 'first', type: 'tcp', target: 'localhost:1' })
  await owner.post('/v1/incidents', { title: 'The disk', monitor_ids: [1] })
  const probe = new Person(world, (await owner.post('/v1/probes', { name: 'far' })).body.data.token)
  const [{ run_id, monitor_id }] = (await probe.get('/v1/probe/get-checks')).body.data
  const result = { monitor_id, run_id, status: 'online', response_time_ms: 12 }
  expect((await probe.post('/v1/probe/check-result', result)).status).toBe(200)
  const hook = { name: 'hook', type: 'webhook', url: await receiver.start() }
  const channel = (await owner.post('/v1/channels', hook)).body.data

  // Telemetry and monitors come in all the time; each that was answered before the backup began must be in it.
  const traces: string[] = []
  const names: string[] = ['first']
  let stopped = false
  const exporter = async () => {
    const headers = { 'content-type': 'application/json', 'x-app-token': app.app_token }
    while (!stopped) {
      const traceId = hex(16)
      const spans = Array.from({ length: 5 }, () => ({ traceId, spanId: hex(8), name: 'x', startTimeUnixNano: '1' }))
      const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
      const answer = await fetch(`${world.url}/v1/traces`, { method: 'POST', headers, body })
      await answer.text()
      expect(answer.status).toBe(200)
      traces.push(traceId)
    }
  }
  const creator = async () => {
    while (!stopped) {
      const name = hex(8)
      await owner.post('/v1/monitors', { name, type: 'tcp', target: 'localhost:1', interval: 3600 })
      names.push(name)
    }
  }
  const load = [exporter(), exporter(), exporter(), creator()]
  while (traces.length < 60 || names.length < 20) await new Promise(resolve => setTimeout(resolve, 10))
  const before = { traces: [...traces], names: [...names] }
  const made = await program('backup', 'create', backup, ...world.storage)
  expect(made).toMatchObject({ code: 0, stdout: `${backup}\n` })
  const after = traces.length
  while (traces.length < after + 20) await new Promise(resolve => setTimeout(resolve, 10))
  stopped = true
  await Promise.all(load)
  expect(await program('backup', 'restore', backup, ...world.storage, '--force')).toMatchObject({ code: 1 })
  await server.stop('SIGKILL')

  const restored = join(world.dir, 'restored')
  expect(await program('backup', 'restore', backup, '--data-dir', restored)).toMatchObject({ code: 0 })
  world.storage[1] = restored
  server = await world.server()

  // The token is the old one, and so are the secrets.
  const found = new Set<string>()
  for (let path: string | null = '/v1/monitors?per_page=100'; path !== null; ) {
    const { status, body } = await owner.get(path)
    expect(status).toBe(200)
    for (const { name } of body.data) found.add(name)
    path = body.links.next
  }
  expect(before.names.filter(name => !found.has(name))).toEqual([])
  const history = (await owner.get(`/v1/monitors/${monitor_id}/checks`)).body.data
  expect(history).toMatchObject([{ run_id, status: 'online', response_time_ms: 12 }])
  expect((await probe.get('/v1/probe/get-checks')).status).toBe(200)
  expect((await owner.get('/v1/incidents')).body.data).toMatchObject([{ title: 'The disk' }])
  expect((await owner.get(`${apps}/${app.id}`)).body.data).toMatchObject({
    app_token: app.app_token,
    api_key: app.api_key,
  })
  receiver.received.length = 0
  expect((await owner.post(`/v1/channels/${channel.id}/test`, {})).status).toBe(200)
  expect(receiver.received.length).toBeGreaterThan(0)
  receiver.verifyAll(channel.secret)

  // All that was acknowledged is there, whole, and counted once.
  const spans = new Map<string, number>()
  for (let path: string | null = `${apps}/${app.id}/traces?limit=200`; path !== null; ) {
    const { body } = await owner.get(path)
    for (const trace of body.data) spans.set(trace.trace_id, trace.span_count)
    path = body.links.next
  }
  expect(before.traces.filter(id => spans.get(id) !== 5)).toEqual([])
  const usage = await owner.get(`${apps}/${app.id}/usage`)
  expect(usage.body.quotas.otlp_spans.used).toBe(spans.size * 5)
})

test('a disk that is full in the middle leaves nothing half, and the server as it was', async () => {
  const path = join(world.dir, 'too-large')
  // What the kernel says of a file that may not grow is what it says of a full disk, but for the code.
  const command = `ulimit -f 400; exec bin/watchpost-server backup create ${path} --data-dir ${world.storage[1]}`
  const failed = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...world.env } }).then(
    () => undefined,
    (error: { code: number; stderr: string }) => error,
  )
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing is left of it') })
  expect([existsSync(path), existsSync(`${path}.partial`)]).toEqual([false, false])
  expect((await owner.get('/v1/monitors')).status).toBe(200)
})

test('nights that fail use up no backup, and one that does not deletes what is old', async () => {
  const [backups, root] = [join(world.dir, 'backups'), new URL('../..', import.meta.url).pathname]
  const [, table = ''] = /```\n(\d.*?)```/s.exec(readFileSync(join(root, 'docs/backup.md'), 'utf8')) ?? []
  const night = (data: string) => {
    const lines = table.trim().split('\n')
    expect(lines[0]).toMatch(/^15 3 \* \* \* cd /)
    const commands = lines.map(line => line.split(' ').slice(5).join(' ').replaceAll('\\%', '%'))
    const script = commands.join('\n').replaceAll('/opt/watchpost', root).replaceAll('/backups', backups)
    return promisify(execFile)('sh', ['-c', script.replaceAll('/var/lib/watchpost', data)], {
      env: { ...process.env, ...world.env },
    }).catch(error => error)
  }
  const old = join(backups, 'watchpost-2026-01-01')
  mkdirSync(old, { recursive: true })
  const longAgo = Date.now() / 1000 - 20 * 86_400
  utimesSync(old, longAgo, longAgo)
  const failed = await night(join(world.dir, 'nowhere'))
  expect([failed.stderr, readdirSync(backups)]).toEqual([
    expect.stringContaining('There is no watchpost.db in'),
    ['watchpost-2026-01-01'],
  ])
  expect(await night(world.storage[1] as string)).toEqual({ stdout: '', stderr: '' })
  expect(readdirSync(backups)).toEqual([expect.stringMatching(/^watchpost-\d{4}-\d\d-\d\d$/)])
  expect(existsSync(old)).toBe(false)
})

test('doctor finds the running server well', async () => {
  const listen = ['--listen', new URL(world.url).host, '--otlp-listen', '127.0.0.1:0', '--time-server', 'off']
  const { code, stdout, stderr } = await program('doctor', '--data-dir', world.storage[1] as string, ...listen)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^ok +listen +.* is used by the running server$/m)
  expect(stdout).toMatch(/^ok +database +\d+ files, .*, whole$/m)
})
