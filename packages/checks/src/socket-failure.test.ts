import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { statusOf } from './look.ts'
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
  ['EWHATEVER', 'probe_internal', 'error'],
])('%s is %s, so the outcome is %s', (code, kind, status) => {
  const failure = socketFailure(Object.assign(new Error('x'), { code }), '127.0.0.1:80')
  expect(failure.kind).toBe(kind)
  expect(statusOf(failure.kind)).toBe(status)
  expect(failure.message).toMatch(/^[A-Z1].*\.$/)
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
