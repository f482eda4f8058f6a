import system from 'node:dns'
import { readFile } from 'node:fs/promises'
import type { Answer } from 'dns-packet'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Family } from './resolve.ts'
import { dnsServer, rcode, type Zone } from './testing/dns-server.ts'
import { run } from './testing/run.ts'
import { closedPort, httpServer } from './testing/servers.ts'

// A hosts file of the test's own beside that of the machine.
vi.mock('./system-names.ts', async original => {
  const names = await original<typeof import('./system-names.ts')>()
  const fromHostsFile = (host: string) => (host === 'listed.example.test' ? ['127.0.0.1'] : names.fromHostsFile(host))
  return { ...names, fromHostsFile }
})

const name = 'www.example.test'
const soon = { timeout: 0.6 }

/** Lets this process ask name servers of the test's own. */
async function use(...zones: Zone[]): Promise<string[]> {
  const servers = await Promise.all(zones.map(zone => dnsServer(zone)))
  const before = system.getServers()
  system.setServers(servers)
  onTestFinished(() => system.setServers(before))
  return servers
}

/** Looks at a web server on loopback under a name that the zone knows. */
async function look(family: Family = 'any', more = {}) {
  const [, port] = (await httpServer((_, response) => response.end('ok'), family === 6 ? '::1' : '127.0.0.1')).split(
    /:(?=\d+$)/,
  )
  return run('http', `http://${name}:${port}/`, { ip_family: family }, more)
}

const a = (data: string, owner = name): Answer => ({ type: 'A', name: owner, data })
const aaaa = (data: string): Answer => ({ type: 'AAAA', name, data })
const alias = (owner: string, data: string): Answer => ({ type: 'CNAME', name: owner, data })

const both: Zone = question => ({ answers: question.type === 'A' ? [a('127.0.0.1')] : [aaaa('::1')] })

test.each([
  ['any', '127.0.0.1'],
  [4, '127.0.0.1'],
  [6, '::1'],
] as const)('of both families, %s takes %s', async (family, address) => {
  await use(both)
  expect(await look(family)).toMatchObject({ status: 'online', details: { address } })
})

test('takes IPv6 where there is nothing else, and no other family than the one asked for', async () => {
  await use(question => ({ answers: question.type === 'AAAA' ? [aaaa('::1')] : [] }))
  expect((await look('any')).details.address).toBe('::1')
  expect(await look(4)).toMatchObject({ status: 'offline', error_kind: 'dns_no_address' })
})

test('follows aliases to their end, and believes no other names', async () => {
  await use(() => ({ answers: [alias(name, 'b.test'), alias('b.test', 'C.test'), a('127.0.0.1', 'c.test')] }))
  expect(await look()).toMatchObject({ status: 'online' })
})

test.each([
  ['an address of another name', [a('127.0.0.1', 'evil.test')]],
  ['aliases that go round', [alias(name, 'b.test'), alias('b.test', name)]],
])('takes %s for none', async (_, answers) => {
  await use(() => ({ answers }))
  expect(await look()).toMatchObject({ status: 'offline', error_kind: 'dns_no_address' })
})

test('another resolver helps out when the first one is silent, refuses or fails', async () => {
  for (const first of [() => null, () => rcode('REFUSED'), () => rcode('SERVFAIL')]) {
    await use(first, both)
    expect(await look('any', { timeout: 3 })).toMatchObject({ status: 'online' })
  }
})

test("silence is the probe's trouble; silence about one name only is the name's", async () => {
  await use(() => null)
  expect(await look('any', soon)).toMatchObject({ status: 'error', error_kind: 'probe_resolver' })
  await use(question => (question.name === name ? null : rcode('NOERROR')))
  expect(await look('any', soon)).toMatchObject({ status: 'offline', error_kind: 'dns_timeout' })
})

test("a resolver that is not there is the probe's trouble", async () => {
  const before = system.getServers()
  system.setServers([await closedPort()])
  onTestFinished(() => system.setServers(before))
  expect(await look()).toMatchObject({ status: 'error', error_kind: 'probe_resolver' })
})

test('a storm of names that nobody answers for holds up neither files nor other names', async () => {
  await use(question => (question.name === name ? { answers: [a('127.0.0.1')] } : null))
  const storm = Array.from({ length: 50 }, (_, number) =>
    run('tcp', `storm${number}.example.test:1`, {}, { timeout: 3 }),
  )
  const started = performance.now()
  await readFile(new URL(import.meta.url))
  expect(await look()).toMatchObject({ status: 'online' })
  expect(performance.now() - started).toBeLessThan(2500)
  for (const outcome of await Promise.all(storm)) expect(outcome.error_kind).toBe('dns_timeout')
})

test('a name that the hosts file has, but not in this family, exists; the name servers may know the rest', async () => {
  const target = (await closedPort()).replace(/.*:/, 'http://listed.example.test:')
  await use(() => rcode('NXDOMAIN'))
  expect(await run('http', target, { ip_family: 6 })).toMatchObject({
    status: 'offline',
    error_kind: 'dns_no_address',
    error_message: 'listed.example.test has no IPv6 address.',
  })
  await use(({ type }) => ({ answers: type === 'AAAA' ? [{ type, name: 'listed.example.test', data: '::1' }] : [] }))
  expect((await run('http', target, { ip_family: 6 })).details.address).toBe('::1')
})
