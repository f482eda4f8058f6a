import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../people.ts'
import { eventually, Running } from '../world.ts'

// What `npm start` runs, on free ports and a directory of its own.
let dataDir: string
const running: Running[] = []
const start = () => {
  const ports = ['--listen', '127.0.0.1:0', '--otlp-listen', '127.0.0.1:0']
  const server = new Running('watchpost-server', ['serve', '--with-probe', '--data-dir', dataDir, ...ports], {})
  running.push(server)
  return server
}
const listening = (server: Running) => server.event<{ url: string; otlp_url: string }>('listening')

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'watchpost-start-')), 'data')
})
afterAll(async () => {
  for (const server of running) await server.stop('SIGKILL')
  await rm(dirname(dataDir), { recursive: true, force: true })
})

test('npm start is the command tested here', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(scripts.start).toBe('exec bin/watchpost-server serve --with-probe')
})

let token: string

test('a start that fails makes nothing: the credentials are still to be shown', async () => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as AddressInfo
  const args = ['serve', '--with-probe', '--data-dir', dataDir, '--listen', `127.0.0.1:${port}`, '--otlp-listen', 'off']
  const failed = new Running('watchpost-server', args, {})
  expect(await failed.exit()).toBe(1)
  taken.close()
})

test('the first start prints address, e-mail, password and token, and answers', async () => {
  const server = start()
  const { url, otlp_url } = await listening(server)
  await server.wrote(/API token {2}wp_api_/)
  expect(server.output).toContain(`address    ${url}`)
  expect(server.output).toMatch(/e-mail {5}\S+@\S+/)
  expect(server.output).toMatch(/password {3}\S{20}/)
  token = /API token {2}(\S+)/.exec(server.output)?.[1] as string

  expect((await ask(url, 'GET', '/healthz')).status).toBe(200)
  expect((await ask(url, 'GET', '/readyz')).status).toBe(200)
  const page = await fetch(`${url}/`)
  expect([page.status, new URL(page.url).pathname]).toEqual([200, '/app'])
  expect(await page.text()).toContain('<title>Watchpost</title>')
  expect((await ask(otlp_url, 'POST', '/v1/traces', {})).status).toBe(401)
  expect((await ask(otlp_url, 'GET', '/anything')).status).toBe(404)
})

test('the embedded probe is a process of its own, and checks what is created', async () => {
  const { url } = await listening(running[0] as Running)
  const headers = { authorization: `Bearer ${token}` }
  await ask(url, 'POST', '/v1/monitors', { name: 'self', type: 'http', target: `${url}/healthz` }, headers)
  await eventually('online', async () => {
    const seen = await ask(url, 'GET', '/v1/monitors', undefined, headers)
    return seen.body.data.length === 2 && seen.body.data.every((each: { status: string }) => each.status === 'online')
  })
})

test('what is secret is readable by its owner only', async () => {
  for (const file of ['instance.key', 'embedded-probe.token', 'watchpost.db']) {
    expect((await stat(join(dataDir, file))).mode & 0o077, file).toBe(0)
  }
})

test('a second server on the same data is refused in one line', async () => {
  const second = start()
  await second.wrote(/Another server runs on/)
  expect(await second.exit()).toBe(1)
})

test('SIGTERM ends it with 0, though a client holds half a request open', async () => {
  const { port } = new URL((await listening(running[0] as Running)).url)
  const half = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  half.write('POST /v1/monitors HTTP/1.1\r\nhost: a\r\n')
  await new Promise(resolve => half.once('connect', resolve))

  expect(await (running[0] as Running).stop()).toBe(0)
})

test('the second start has the same data and prints no credentials', async () => {
  const server = start()
  const { url } = await listening(server)
  const headers = { authorization: `Bearer ${token}` }
  const names = async (type: string) =>
    (await ask(url, 'GET', `/v1/monitors?type=${type}`, undefined, headers)).body.data.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('http')).toEqual(['self'])
  // The probe beside the server is watched, too, and is the same one.
  expect(await names('server')).toEqual([hostname()])
  expect(server.output).not.toMatch(/password|wp_api_/)
})

test('Ctrl-C ends it with 0', async () => {
  expect(await (running.at(-1) as Running).stop('SIGINT')).toBe(0)
})

// A service manager, or a shell script, knows only npm: what it started must not outlive it.
test.each(['SIGTERM', 'SIGINT'] as const)('%s to npm start ends server and probe', async signal => {
  const args = ['start', '--', '--data-dir', dataDir, '--listen', '127.0.0.1:0', '--otlp-listen', 'off']
  const npm = new Running('npm', args, {})
  running.push(npm)
  const { url } = await listening(npm)
  await eventually('the probe has started', async () => (await probesOn(url)).length > 0)
  npm.child.kill(signal)
  await npm.exit()
  await eventually('nothing answers any more', async () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  await eventually('the probe is gone', async () => (await probesOn(url)).length === 0)
})

test('kill -9 of the server ends its probe too', async () => {
  const server = start()
  const { url } = await listening(server)
  await eventually('the probe has started', async () => (await probesOn(url)).length > 0)
  await server.stop('SIGKILL')
  await eventually('the probe is gone', async () => (await probesOn(url)).length === 0)
})

test('a launcher is the process itself: its process id is the server, whatever Node the system has', async () => {
  const server = start()
  const { url } = await listening(server)
  expect((await readFile(`/proc/${server.child.pid}/cmdline`, 'utf8')).split('\0')[1]).toMatch(/bin\/watchpost-server$/)
  await server.stop('SIGKILL')
  await eventually('nothing answers any more', async () =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
})

/** Command lines of probes that report to this server. */
async function probesOn(url: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  return stdout.split('\n').filter(line => line.includes('watchpost-probe run') && line.includes(`--server ${url} `))
}
