import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { monitorctl } from '../testing/monitorctl.ts'
import { type ServerDouble, startServerDouble } from '../testing/server-double.ts'

let server: ServerDouble
let dir: string
const team = { id: 1, name: 'Acme', plan: 'pro', caller: { role: 'admin', scopes: [] } }

beforeEach(async () => {
  server = await startServerDouble({ team: [team], monitors: [] })
  dir = mkdtempSync(join(tmpdir(), 'cli-login-'))
})
afterEach(async () => {
  await server.close()
  rmSync(dir, { recursive: true })
})

const file = () => join(dir, 'watchpost', 'config.json')
const kept = () => JSON.parse(readFileSync(file(), 'utf8'))
const run = (argv: string[], stdin?: string) =>
  monitorctl(argv, { env: { XDG_CONFIG_HOME: dir }, ...(stdin === undefined ? {} : { stdin }) })
const login = (name: string) => run(['login', '--url', server.url, '--token', server.token, '--name', name])

describe('login', () => {
  test('keeps a server and a token that work, for nobody else to read', async () => {
    const { code, stderr } = await run(['login', '--url', `${server.url}/`, '--token', server.token])
    expect([code, stderr]).toEqual([
      0,
      `Logged in as admin of Acme (plan pro), no scopes; context "127.0.0.1:${server.port}" is current.\n`,
    ])
    expect(kept()).toEqual({
      current: `127.0.0.1:${server.port}`,
      contexts: { [`127.0.0.1:${server.port}`]: { url: server.url, token: server.token } },
    })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect((await run(['monitors', 'list', '-o', 'json'])).code).toBe(0)
  })

  test('takes the token from standard input', async () => {
    expect((await run(['login', '--url', server.url, '--name', 'home'], `${server.token}\n`)).code).toBe(0)
    expect(kept().contexts.home.token).toBe(server.token)
  })

  test('keeps nothing that does not work', async () => {
    const wrong = await run(['login', '--url', server.url, '--token', 'wp_api_wrong'])
    expect([wrong.code, existsSync(file())]).toEqual([3, false])
    expect((await run(['login', '--url', 'localhost:1', '--token', 'x'])).code).toBe(2)
    for (const argv of [['login'], ['login', '--url', server.url]]) {
      const { code, stderr } = await run(argv)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: login needs --(url|token)/)])
    }
    expect(existsSync(file())).toBe(false)
  })

  test('lends no token of another context', async () => {
    await login('home')
    const { code } = await run(['login', '--url', server.url, '--name', 'other'])
    expect([code, Object.keys(kept().contexts)]).toEqual([2, ['home']])
  })
})

describe('context', () => {
  test('lists what is remembered, without tokens', async () => {
    await login('home')
    await login('lab')
    const { stdout } = await run(['context', 'list'])
    expect(stdout).toMatch(/home[\s\S]*\*\s+lab/)
    const json = (await run(['context', 'list', '-o', 'json'])).stdout
    expect(JSON.parse(json).data).toEqual([
      { name: 'home', url: server.url, current: false },
      { name: 'lab', url: server.url, current: true },
    ])
    expect(stdout + json).not.toContain(server.token)
  })

  test('is switched and forgotten', async () => {
    await login('home')
    await login('lab')
    expect((await run(['context', 'use', 'home'])).code).toBe(0)
    expect(kept().current).toBe('home')
    expect((await run(['context', 'delete', 'home'])).code).toBe(2)
    expect((await run(['context', 'delete', 'home', '--yes'])).code).toBe(0)
    expect(kept()).toEqual({ contexts: { lab: { url: server.url, token: server.token } } })
    expect((await run(['monitors', 'list'])).code).toBe(2)
    for (const verb of ['use', 'delete']) {
      const { code, stderr } = await run(['context', verb, '__proto__', ...(verb === 'delete' ? ['--yes'] : [])])
      expect([code, stderr]).toEqual([2, expect.stringContaining('there is no context "__proto__"')])
    }
  })
})
