import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { type Running, World } from '../world.ts'

// A disk that takes no more than so many bytes of a file: what the kernel refuses at, without a disk to fill.
let world: World
let server: Running
let owner: Person
let probe: Person
let id: number
let pageId: number
let appId: number

/** Bytes that a file of the server may have. */
const room = (bytes: string) => execFileSync('prlimit', [`--pid=${server.child.pid}`, `--fsize=${bytes}:unlimited`])
const monitor = (name: string) => ({ name, type: 'tcp', target: 'a:1' })
const result = (run_id: string) => ({ monitor_id: id, run_id, status: 'online', response_time_ms: 12 })

beforeAll(async () => {
  world = await World.create()
  server = await world.server()
  owner = new Person(world, world.credentials.api_token)
  id = (await owner.post('/v1/monitors', monitor('first'))).body.data.id
  pageId = (await owner.post('/v1/status-pages', { title: 'Acme', slug: 'acme' })).body.data.id
  await owner.post(`/v1/status-pages/${pageId}/monitors`, { monitor_id: id })
  appId = (await owner.post('/api/observability/apps', { name: 'Shop' })).body.data.id
  probe = new Person(world, (await owner.post('/v1/probes', { name: 'p' })).body.data.token)
  await probe.get('/v1/probe/get-checks')
  // The first is a verdict, the second a line of the journal: its row is not written yet when the disk is full.
  expect((await probe.post('/v1/probe/check-result', result('first'))).status).toBe(200)
  expect((await probe.post('/v1/probe/check-result', result('before'))).status).toBe(200)
  room('4096')
})
afterAll(async () => {
  await world?.close()
})

test('a write is refused with what to do and when to try again', async () => {
  const { status, body, headers } = await owner.post('/v1/monitors', monitor('one more'))
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '60'])
  expect(body.message).toContain('disk')
  expect((await owner.patch(`/v1/monitors/${id}`, { name: 'other' })).status).toBe(503)
})

test('results of probes are refused in a way that lets probes keep them', async () => {
  const one = await probe.post('/v1/probe/check-result', result('now'))
  expect([one.status, one.body.code, one.headers.get('retry-after')]).toEqual([503, 'unavailable', '60'])
  expect((await probe.post('/v1/probe/check-results', { results: [result('now')] })).status).toBe(503)
})

test('reads go on', async () => {
  expect((await owner.get(`/v1/monitors/${id}`)).body.data.name).toBe('first')
  expect((await owner.get('/v1/monitors')).body.meta.total).toBe(2)
  expect((await owner.get(`/v1/monitors/${id}/checks`)).status).toBe(200)
  // They change nothing, though they are sent with a body.
  expect((await owner.post(`/v1/status-pages/${pageId}/preview`, { title: 'Other' })).status).toBe(200)
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  expect((await owner.get(`/api/observability/apps/${appId}/usage`)).status).toBe(200)
})

test('status pages stay, and say what they know', async () => {
  for (const path of ['', '/history', '/summary.json', '/badge/status.svg', '/feed.rss']) {
    const answer = await fetch(`${world.url}/status/acme${path}`)
    expect([path, answer.status]).toEqual([path, 200])
  }
  expect((await fetch(`${world.url}/api/monitors/${id}/uptime`)).status).toBe(200)
})

test('once there is room everything goes on, without a restart, and nothing that was refused is there', async () => {
  room('unlimited')
  expect((await owner.post('/v1/monitors', monitor('after'))).status).toBe(201)
  expect((await probe.post('/v1/probe/check-result', result('now'))).status).toBe(200)
  const { data } = (await owner.get(`/v1/monitors/${id}/checks`)).body
  expect(data.map(({ run_id }: { run_id: string }) => run_id)).toEqual(['now', 'before', 'first'])
  expect((await owner.get('/v1/monitors?name=one%20more')).body.data).toEqual([])
})
