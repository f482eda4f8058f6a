import { createSocket } from 'node:dgram'
import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb, openMetricStore } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveAway } from '../testing/belongings.ts'
import { Mailbox } from '../testing/mailbox.ts'
import { said, saidIn } from '../testing/said.ts'
import { askTime, clock } from './clock.ts'
import type { Finding } from './finding.ts'
import { fileSystem, files, node, space, sync } from './host.ts'

let dir: string
let data: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watchpost-doctor-'))
  // Others may pass, as they may where a server of theirs has its data.
  chmodSync(dir, 0o711)
  data = join(dir, 'data')
  expect(await said('bootstrap', '--data-dir', data)).toMatchObject({ code: 0 })
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** What it finds, by what it is about. */
async function found(args: string[], env: Record<string, string> = {}) {
  const { code, out } = await saidIn(env, [
    'doctor',
    '--json',
    '--listen',
    '127.0.0.1:0',
    '--otlp-listen',
    'off',
    ...args,
  ])
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: Finding[] }
  expect(ok).toBe(code === 0)
  const status = Object.fromEntries(findings.map(each => [each.what, each.status]))
  const message = Object.fromEntries(findings.map(each => [each.what, each.message]))
  return { code, status, message }
}
const here = (...more: string[]) => ['--data-dir', data, '--time-server', 'off', ...more]

test('a host that can, with data that is whole', async () => {
  writeFileSync(join(data, 'instance.key'), `${'k'.repeat(44)}\n`, { mode: 0o600 })
  const { code, status, message } = await found(here())
  expect(code).toBe(0)
  expect(status).toMatchObject({
    Node: 'ok',
    data: 'ok',
    database: 'ok',
    schema: 'ok',
    key: 'ok',
    listen: 'ok',
    mail: 'ok',
  })
  expect(message.backup).toContain('none is known')
  expect(message.sync).toMatch(/on the disk after [\d.]+ ms/)
})

test('what is there for others, missing or damaged', async () => {
  chmodSync(join(data, 'instance.key'), 0o644)
  chmodSync(data, 0o755)
  const open = await found(here())
  expect([open.code, open.status.key, open.status.data]).toEqual([0, 'warn', 'warn'])
  rmSync(join(data, 'instance.key'))
  const missing = await found(here())
  expect([missing.code, missing.status.key]).toEqual([1, 'fail'])
  const broken = join(dir, 'broken')
  await (await openDb({ databaseUrl: undefined, dataDir: broken, exclusiveOwner: false })).close()
  writeFileSync(join(broken, 'watchpost.db'), 'x'.repeat(8192))
  for (const key of [undefined, 'k'.repeat(44)]) {
    if (key !== undefined) writeFileSync(join(broken, 'instance.key'), key, { mode: 0o600 })
    const damaged = await found(['--data-dir', broken, '--time-server', 'off'])
    expect([damaged.code, damaged.status.database]).toEqual([1, 'fail'])
    expect(damaged.message.database).toMatch(/damaged: .*watchpost\.db: file is not a database; mend: .*restore/)
    expect(damaged.status.key).toBe(key === undefined ? 'fail' : 'warn')
  }
})

test('what may not be read is said to be that, and not to be damaged', async () => {
  const theirs = join(dir, 'theirs')
  cpSync(data, theirs, { recursive: true })
  writeFileSync(join(theirs, 'instance.key'), 'k'.repeat(44), { mode: 0o600 })
  await (await openMetricStore(theirs)).close()
  const owner = giveAway(theirs)
  const args = ['--data-dir', theirs, '--time-server', 'off']
  expect(await found(args)).toMatchObject({ code: 0, status: { database: 'ok', key: 'ok' } })
  chmodSync(join(theirs, 'telemetry/metrics.db'), 0)
  chmodSync(join(theirs, 'instance.key'), 0)
  const { code, status, message } = await found(args)
  expect([code, status.database, status.key, status.schema]).toEqual([1, 'fail', 'fail', 'ok'])
  expect(message.database).toMatch(`metrics.db could not be looked at (SQLITE_CANTOPEN)`)
  expect(message.database).toContain(`it is of uid ${owner}`)
  expect(message.database).not.toMatch(/damaged|restore/)
  expect(message.key).toMatch(/instance\.key could not be looked at \(EACCES\)/)
  chmodSync(join(theirs, 'telemetry'), 0)
  const closed = await found(args)
  expect([closed.code, closed.message.database]).toEqual([
    1,
    expect.stringMatching(/telemetry could not .* \(EACCES\)/),
  ])
  chmodSync(join(theirs, 'telemetry'), 0o700)
})

test('an address that another program has, or nobody can have', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const taken = await found(here('--listen', `127.0.0.1:${port}`))
  expect([taken.code, taken.message.listen]).toEqual([1, expect.stringContaining('taken by another program')])
  other.close()
  const strange = await found(here('--listen', '203.0.113.1:8080'))
  expect(strange.message.listen).toContain('EADDRNOTAVAIL')
})

test('proxies and the public address', async () => {
  const env = { WATCHPOST_TRUSTED_PROXIES: '10.0.0.0/8,0.0.0.0/0' }
  expect((await found(here(), env)).status.proxies).toBe('fail')
  const { status } = await found(here('--public-url', 'https://127.0.0.1:1'))
  expect([status.proxies, status['public-url']]).toEqual(['warn', 'warn'])
})

test('a mail server that lets us in, and one that does not; nothing is sent', async () => {
  const mailbox = new Mailbox()
  const port = await mailbox.start()
  const env = (password: string) => ({
    WATCHPOST_SMTP_URL: `smtp://u:${password}@127.0.0.1:${port}`,
    WATCHPOST_MAIL_FROM: 'a@example.com',
  })
  const well = await found(here(), env('sesame'))
  expect([well.status.mail, well.message.mail]).toEqual(['ok', expect.stringContaining('lets u in')])
  const wrong = await found(here(), env('wrong'))
  expect([wrong.code, wrong.message.mail]).toEqual([1, expect.stringContaining('535')])
  expect(wrong.message.mail).not.toContain('wrong')
  expect(mailbox.mails).toEqual([])
  await mailbox.stop()
})

test('PostgreSQL: its version, schema and clock, or why it cannot be used', async () => {
  const place = await newPlace('postgres')
  const env = { WATCHPOST_DATABASE_URL: place.databaseUrl as string, WATCHPOST_INSTANCE_KEY: 'k'.repeat(44) }
  const { code, message, status } = await found([], env)
  expect([code, message.database, message.schema]).toEqual([
    0,
    expect.stringMatching(/^PostgreSQL \d+/),
    'none yet; the first start makes it',
  ])
  expect(status.clock).toBe('ok')
  const short = await found([], { ...env, WATCHPOST_INSTANCE_KEY: 'short' })
  expect([short.code, short.message.key]).toEqual([1, expect.stringContaining('too short')])
  const nowhere = await found(['--data-dir', join(dir, 'nowhere')], env)
  expect([nowhere.status.backup, nowhere.message.backup]).toEqual(['ok', expect.stringContaining('cannot be known')])
  await place.remove()
  const away = await found([], { ...env, WATCHPOST_DATABASE_URL: 'postgres://postgres:secret@127.0.0.1:1/x' })
  expect([away.code, away.message.database]).toEqual([1, expect.stringContaining('nothing listens there')])
  expect(away.message.database).not.toContain('secret')
})

test('a clock is held against a time server', async () => {
  const ahead = 3_600_000
  let length = 48
  const server = createSocket('udp4')
  server.on('message', (question, { port, address }) => {
    expect([question.length, question[0]]).toEqual([48, 0x23])
    const answer = Buffer.alloc(48)
    answer.writeUInt32BE(Math.floor((Date.now() + ahead + 2_208_988_800_000) / 1000), 40)
    server.send(answer.subarray(0, length), port, address)
  })
  await new Promise<void>(resolve => server.bind(0, '127.0.0.1', resolve))
  const answer = await askTime(`127.0.0.1:${server.address().port}`)
  expect(answer).toMatchObject({ status: 'fail', message: expect.stringMatching(/^3(599|600)\.\d s behind 127/) })
  length = 44
  const cut = await askTime(`127.0.0.1:${server.address().port}`)
  expect(cut).toMatchObject({ status: 'warn', message: expect.stringContaining('gave no time') })
  server.close()
  // An address, and not a host with a port, of which nobody would have heard.
  expect((await askTime('::1')).message).not.toContain('ENOTFOUND')
  expect((await askTime('[::1]:1')).message).not.toContain('ENOTFOUND')
  expect(await askTime('127.0.0.1:1')).toMatchObject({ status: 'warn' })
  expect(clock(-1500, 0, 'x').status).toBe('ok')
  expect(clock(-5000, 4000, 'x').status).toBe('ok')
  expect(clock(-5000, 100, 'x').message).toContain('4.9 s ahead of x')
})

test('what a host is like', () => {
  expect([node('22.18.9').status, node('22.19.0').status, node('24.0.0').status]).toEqual(['fail', 'ok', 'ok'])
  expect(files('Max open files            1024                 1024                 files').status).toBe('warn')
  expect(files('Max open files            1024                 524288               files').status).toBe('ok')
  expect([fileSystem(0xef53).status, fileSystem(0x6969).status, fileSystem(0x01021994).status]).toEqual([
    'ok',
    'warn',
    'warn',
  ])
  // As Linux gives it where the number has its highest bit.
  expect(fileSystem(0xff534d42 | 0).message).toContain('CIFS')
  const gb = 1_073_741_824
  expect(
    [space(50e6, 0), space(0.9 * gb, 1024), space(1.5 * gb, 1024), space(3 * gb, 1024)].map(each => each.status),
  ).toEqual(['fail', 'fail', 'warn', 'ok'])
  expect([sync([1, 2, 300]).status, sync([40, 50, 60]).status]).toEqual(['ok', 'warn'])
})
