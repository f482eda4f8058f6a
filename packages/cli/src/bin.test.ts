import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { monitor, type ServerDouble, startServerDouble } from './testing/server-double.ts'

// The program as a process: signals, pipes and exit codes. Node runs the source; only the screens need a bundler.
const bin = fileURLToPath(new URL('bin.ts', import.meta.url))
let server: ServerDouble
beforeAll(async () => {
  server = await startServerDouble({
    monitors: Array.from({ length: 3000 }, (_, id) => monitor({ id: id + 1, name: 'n'.repeat(200) })),
  })
})
afterAll(() => server.close())

function start(...argv: string[]) {
  const env = { PATH: process.env.PATH, WATCHPOST_URL: server.url, WATCHPOST_TOKEN: server.token, HOME: '/nonexistent' }
  const child = spawn(process.execPath, [bin, ...argv], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', chunk => (stderr += chunk))
  const ended = new Promise<{ code: number | null; stderr: string }>(resolve =>
    child.on('close', code => resolve({ code, stderr })),
  )
  return { child, ended }
}

test('a reader that goes away (| head) ends it quietly', async () => {
  const { child, ended } = start('monitors', 'list', '--all', '-o', 'json')
  child.stdout.once('data', () => child.stdout.destroy())
  expect(await ended).toEqual({ code: 0, stderr: '' })
})

test('a disk that is full is a line', async () => {
  const env = { WATCHPOST_URL: server.url, WATCHPOST_TOKEN: server.token, HOME: '/nonexistent' }
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [bin, 'monitors', 'list', '-o', 'json'], {
    env,
    stdio: ['ignore', full, 'pipe'],
  })
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')])
  closeSync(full)
  expect([code, stderr]).toEqual([1, 'error: standard output cannot be written (ENOSPC)\n'])
})

test('everything reaches a slow reader', async () => {
  const { child, ended } = start('monitors', 'list', '--all', '-o', 'json')
  let text = ''
  child.stdout.on('data', chunk => (text += chunk))
  expect(await ended).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(text).data).toHaveLength(3000)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a watch with %d', async (signal, code) => {
  const { child, ended } = start('monitors', 'watch')
  child.stdout.once('data', () => child.kill(signal))
  expect(await ended).toEqual({ code, stderr: '' })
})

test('SIGINT ends a wait for standard input', async () => {
  const { child, ended } = start('monitors', 'create', '-f', '-')
  // More than a pipe holds: once it is gone, somebody is reading.
  child.stdin.write('#'.repeat(1_000_000), () => child.kill('SIGINT'))
  expect(await ended).toEqual({ code: 130, stderr: '' })
})

test('an error is its exit code and a line', async () => {
  const { ended } = start('monitors', 'get', '9999')
  expect(await ended).toEqual({ code: 4, stderr: expect.stringMatching(/^error: .*\n$/) })
})
