import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clock, type Finding, resolvers } from './doctor.ts'
import { files } from './doctor-host.ts'
import { run } from './main.ts'
import { ControlPlane, token } from './testing/control-plane.ts'
import { until } from './testing/until.ts'

const dir = mkdtempSync(join(tmpdir(), 'watchpost-main-'))
afterAll(() => rmSync(dir, { recursive: true }))

let plane: ControlPlane
beforeEach(async () => {
  plane = await ControlPlane.start()
})
afterEach(() => plane.down())

function program(args: string[], env: Record<string, string> = {}, stop = new AbortController()) {
  const said = { stdout: '', stderr: '' }
  const ended = run(args, {
    stdout: text => {
      said.stdout += text
    },
    stderr: text => {
      said.stderr += text
    },
    env,
    stop: stop.signal,
  })
  return { said, ended, stop }
}

describe('watchpost-probe run', () => {
  it('says on standard output, in one line, that it runs; everything else goes to standard error', async () => {
    const env = { WATCHPOST_URL: plane.url, WATCHPOST_PROBE_TOKEN: token, WATCHPOST_SPOOL_DIR: join(dir, 'a') }
    const { said, ended, stop } = program(['run', '--health-listen', '127.0.0.1:0'], env)
    await until('it runs', () => said.stdout !== '')
    stop.abort()
    expect(await ended).toBe(0)
    const { event, server, health_url } = JSON.parse(said.stdout)
    expect([event, server]).toEqual(['running', plane.url])
    expect(health_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const line of said.stderr.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })

  it('ends with one line and code 3 for a wrong token', async () => {
    const { said, ended } = program(['run', '--server', plane.url, '--token', 'wrong', '--spool-dir', join(dir, 'b')])
    expect(await ended).toBe(3)
    expect(said.stdout).toBe('')
    expect(said.stderr.trim().split('\n')).toHaveLength(1)
  })

  it.each([
    ['no server', [], 2, /^watchpost-probe: No server: give --server URL or set WATCHPOST_URL\n$/],
    [
      'a spool directory that is none',
      ['--server', 'http://x', '--token', 't', '--spool-dir', '/dev/null/x'],
      1,
      /^watchpost-probe: Spool directory \/dev\/null\/x cannot be used: .*\n$/,
    ],
    ['an unknown flag', ['--sever', 'http://x'], 2, /^error: unknown option '--sever'\n\(Did you mean --server\?\)\n/],
  ])('fails with one clear line for %s', async (_, args, code, message) => {
    const { said, ended } = program(['run', ...args])
    expect(await ended).toBe(code)
    expect(said.stderr).toMatch(message)
  })

  it('fails with one clear line when the health address is taken', async () => {
    const taken = new URL(plane.url).host
    const args = [
      'run',
      '--server',
      plane.url,
      '--token',
      token,
      '--spool-dir',
      join(dir, 'c'),
      '--health-listen',
      taken,
    ]
    const { said, ended } = program(args)
    expect(await ended).toBe(1)
    expect(said.stderr).toMatch(/^watchpost-probe: .*EADDRINUSE.*\n$/)
  })
})

describe('watchpost-probe doctor', () => {
  const lines = (text: string) =>
    new Map(
      text
        .trim()
        .split('\n')
        .map(line => [line.split(/ +/)[1], line]),
    )
  const doctor = async (...args: string[]) => {
    const { said, ended } = program(['doctor', '--spool-dir', join(dir, 'doctor'), ...args])
    return { code: await ended, found: lines(said.stdout) }
  }

  it('finds server, clock and token in order, and takes no check away from a real probe', async () => {
    plane.add({ target: 'http://127.0.0.1/' })
    const { found } = await doctor('--server', plane.url, '--token', token)
    for (const what of ['ping', 'spool', 'server', 'clock', 'token']) expect(found.get(what)).toMatch(/^ok /)
    expect([plane.polls, plane.results.length]).toEqual([0, 0])
  })

  it('says that the token is not accepted, and how to mend it', async () => {
    const { code, found } = await doctor('--server', plane.url, '--token', 'wrong')
    expect(code).toBe(1)
    expect(found.get('token')).toMatch(/^fail .*does not accept it; mend: /)
  })

  it('says that the server is not there, or is another', async () => {
    const { url } = plane
    await plane.down()
    expect((await doctor('--server', url)).found.get('server')).toMatch(/^fail .*connection refused.*mend: /)
    await plane.up()
    expect((await doctor('--server', `${url}/elsewhere`, '--token', token)).found.get('server')).toMatch(
      /^fail .*mend: is this/,
    )
  })

  it('goes on where a program cannot be started at all', async () => {
    const programs = join(dir, 'programs')
    mkdirSync(programs)
    for (const name of ['fping', 'ping']) symlinkSync(name, join(programs, name))
    const before = process.env.PATH
    process.env.PATH = programs
    try {
      const { code, found } = await doctor('--server', plane.url, '--token', token)
      expect([code, found.get('token')?.slice(0, 2)]).toEqual([1, 'ok'])
      expect(found.get('ping')).toMatch(/^fail .*cannot be started .*mend: install fping/)
    } finally {
      process.env.PATH = before
    }
  })

  it('leaves no folder behind that it made', async () => {
    const { found } = await doctor('--spool-dir', join(dir, 'deep', 'b', 'c'))
    expect(found.get('spool')).toMatch(/^ok /)
    expect(existsSync(join(dir, 'deep'))).toBe(false)
  })

  it('says that the spool cannot be written', async () => {
    writeFileSync(join(dir, 'file'), '')
    const { code, found } = await doctor('--spool-dir', join(dir, 'file'))
    expect(code).toBe(1)
    expect(found.get('spool')).toMatch(/^fail .*mend: name another with --spool-dir/)
  })

  it('says all of it in JSON, each thing with ok, warn or fail', async () => {
    const { said, ended } = program(['doctor', '--spool-dir', join(dir, 'doctor'), '-o', 'json'])
    const code = await ended
    const { ok, findings } = JSON.parse(said.stdout) as { ok: boolean; findings: Finding[] }
    expect(ok).toBe(code === 0)
    const what = findings.map(finding => finding.what)
    expect(what).toEqual(['ping', 'ping6', 'pinger', 'resolvers', 'IPv6', 'spool', 'space', 'files'])
    for (const { status, message } of findings) {
      expect(['ok', 'warn', 'fail']).toContain(status)
      if (status !== 'ok') expect(message).toContain('; mend: ')
    }
  })

  it('says when fewer files may be open than the checks want', () => {
    const limits = 'Max open files            1024                 524288               files'
    expect(files(100, limits)).toMatchObject({ status: 'ok' })
    expect(files(500, limits)).toMatchObject({ status: 'fail', message: expect.stringContaining('mend: raise ulimit') })
  })

  it('says which resolver does not answer', async () => {
    expect(await resolvers(['127.0.0.1:1'])).toMatchObject({ status: 'fail' })
    expect(await resolvers([])).toMatchObject({ status: 'fail', message: expect.stringContaining('none configured') })
  })

  it.each([
    ['agrees within the second that the header is cut to', 10_000, 10_900, 10_950, /^agrees/],
    ['is ahead', 10_000, 20_000, 20_010, /^9\.0 s ahead of the server; mend: /],
    ['is behind', 20_000, 10_000, 10_010, /^10\.0 s behind the server; mend: /],
  ])('tells when its clock %s', (_, date, sentAt, receivedAt, message) => {
    expect(clock(date, sentAt, receivedAt).message).toMatch(message)
  })
})

it.each(['--help', 'run --help', 'check --help', 'doctor --help'])('explains itself with %s', async args => {
  const { said, ended } = program(args.split(' '))
  expect(await ended).toBe(0)
  expect(said.stdout).toMatch(/^Usage: watchpost-probe/)
  expect(said.stdout).toMatch(/^Examples:\n {2}\$ watchpost-probe /m)
  if (/run|doctor/.test(args)) expect(said.stdout).toMatch(/WATCHPOST_URL, WATCHPOST_PROBE_TOKEN, /)
})
