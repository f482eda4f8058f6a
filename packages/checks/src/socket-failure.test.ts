import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { statusOf } from './look.ts'
import { hasDefaultRoute } from './own-network.ts'
import { socketFailure } from './socket-failure.ts'
import { tcpServer } from './testing/servers.ts'

test.each([
  ['ECONNREFUSED', 'connect_refused', 'offline'],
  ['ECONNRESET', 'connect_reset', 'offline'],
  ['ETIMEDOUT', 'connect_timeout', 'offline'],
  ['EHOSTUNREACH', 'connect_unreachable', 'offline'],
  ['EMFILE', 'probe_resources', 'error'],
  ['ENOBUFS', 'probe_resources', 'error'],
  ['EACCES', 'probe_permission', 'error'],
  ['EPERM', 'probe_permission', 'error'],
  ['ENETDOWN', 'probe_network', 'error'],
  ['EAFNOSUPPORT', 'probe_network', 'error'],
  ['EINVAL', 'probe_network', 'error'],
  ['EWHATEVER', 'probe_internal', 'error'],
])('%s is %s, so the outcome is %s', (code, kind, status) => {
  const failure = socketFailure(Object.assign(new Error('x'), { code }), '127.0.0.1:80')
  expect(failure.kind).toBe(kind)
  expect(statusOf(failure.kind)).toBe(status)
  expect(failure.message).toMatch(/^[A-Z1].*\.$/)
})

test.each([
  [4, 'eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n', true],
  [4, 'eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n', false],
  [6, `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe80${'0'.repeat(28)} 00000400 1 0 00000003     eth0\n`, true],
  [6, `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 ${'0'.repeat(32)} ffffffff 1 0 00200200       lo\n`, false],
  [4, '', false],
  [6, null, true],
] as const)('knows the way out of its network: IPv%i %j', (family, table, has) => {
  expect(hasDefaultRoute(family, table)).toBe(has)
})

test('a probe without a file to spare reports itself, not the target', async () => {
  const address = await tcpServer(() => {})
  const program = fileURLToPath(new URL('testing/starved.ts', import.meta.url))
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    `ulimit -n 64; exec "${process.execPath}" "${program}" ${address}`,
  ])
  expect(JSON.parse(stdout)).toEqual(Array(4).fill('error probe_resources'))
})
