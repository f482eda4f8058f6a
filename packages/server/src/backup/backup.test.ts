import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, migrate, migrations, openDb, openMetricStore } from '@watchpost/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sealSettings } from '../channels/settings.ts'
import { createKeyring } from '../secrets.ts'
import { giveAway } from '../testing/belongings.ts'
import { said, saidIn } from '../testing/said.ts'
import { manifestName, readManifest, sumsName } from './manifest.ts'

let dir: string
let data: string
let backup: string
const key = 'a key of thirty-two random bytes'

const open = (dataDir: string, exclusiveOwner = false): Promise<Db> =>
  openDb({ databaseUrl: undefined, dataDir, exclusiveOwner })
const copyOf = (name: string) => {
  cpSync(backup, join(dir, name), { recursive: true })
  return join(dir, name)
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'watchpost-backup-'))
  // Others may pass, as they may where a server of theirs has its data.
  chmodSync(dir, 0o711)
  data = join(dir, 'data')
  backup = join(dir, 'backup')
  const made = await said('bootstrap', '--data-dir', data, '--json')
  expect(made).toMatchObject({ code: 0 })
  writeFileSync(join(data, 'instance.key'), `${key}\n`, { mode: 0o600 })
  writeFileSync(join(data, 'embedded-probe.token'), 'wp_probe_x\n', { mode: 0o600 })
  mkdirSync(join(data, 'probe-spool'))
  const db = await open(data)
  const settings = sealSettings(createKeyring(key), { team_id: 1, id: 1 }, { to: ['a@example.com'] } as never)
  await db.script(`insert into channels (team_id, id, name, type, settings, events, created_at, updated_at)
    values (1, 1, 'mail', 'email', '${settings}', '[]', 1, 1);
    insert into usage_folds (day, seq) values (20260101, 7)`)
  await db.close()
  await (await openMetricStore(data)).close()
  const created = await said('backup', 'create', backup, '--data-dir', data)
  expect(created).toMatchObject({ code: 0, out: `${backup}\n` })
  expect(created.err).toContain('The instance key is in it')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test('everything that is needed is in it, and no lock, log or cache; readable by its user only', () => {
  const names = readdirSync(backup, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = ['embedded-probe.token', 'instance.key', 'telemetry', 'telemetry/metrics.db', 'watchpost.db']
  expect(names).toEqual([sumsName, manifestName, ...files].toSorted())
  for (const name of ['', ...names]) expect(statSync(join(backup, name)).mode & 0o077, name).toBe(0)
  expect(JSON.parse(readFileSync(join(data, 'last-backup.json'), 'utf8'))).toMatchObject({ path: backup })
})

test('it is not written over, and what was stopped is in the way', async () => {
  const again = await said('backup', 'create', backup, '--data-dir', data)
  expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('exists already') })
  mkdirSync(join(dir, 'other.partial'))
  const other = await said('backup', 'create', join(dir, 'other'), '--data-dir', data)
  expect(other).toMatchObject({ code: 1, err: expect.stringContaining('other.partial is in the way') })
  const nothing = await said('backup', 'create', join(dir, 'third'), '--data-dir', join(dir, 'nowhere'))
  expect(nothing).toMatchObject({ code: 1, err: expect.stringContaining('There is no watchpost.db in') })
  expect(existsSync(join(dir, 'third.partial'))).toBe(false)
})

test('verify says what is in it, in words and as JSON', async () => {
  const { code, out } = await said('backup', 'verify', backup)
  expect([code, out]).toEqual([0, expect.stringContaining('watchpost.db: 1 teams, 1 users')])
  expect(out).toMatch(/^whole$/m)
  const json = await said('backup', 'verify', backup, '--json')
  expect(JSON.parse(json.out)).toMatchObject({ ok: true, problems: [], rows: { 'watchpost.db': { channels: 1 } } })
})

test('a flipped bit anywhere is found', async () => {
  const damaged = copyOf('flipped')
  const found: [string, number][] = []
  for (const name of [...readManifest(backup).files.map(({ path }) => path), manifestName, sumsName]) {
    const path = join(damaged, name)
    const whole = readFileSync(path)
    for (const at of [0, Math.floor(whole.length / 3), whole.length - 1]) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] as number) ^ 1
      writeFileSync(path, bytes)
      const { code, err } = await said('backup', 'verify', damaged)
      if (code !== 1 || !err.includes('damaged')) found.push([name, at])
    }
    writeFileSync(path, whole)
  }
  expect(found).toEqual([])
  expect((await said('backup', 'verify', damaged)).code).toBe(0)
})

test.each([
  [
    'a file that is missing',
    (at: string) => rmSync(join(at, 'telemetry/metrics.db')),
    'telemetry/metrics.db is missing',
  ],
  [
    'a log beside a database',
    (at: string) => writeFileSync(join(at, 'watchpost.db-wal'), 'x'),
    'does not belong to it',
  ],
  ['no sums', (at: string) => rmSync(join(at, sumsName)), `${sumsName} is missing`],
])('%s is found, and such a backup is not restored', async (name, spoil, problem) => {
  const damaged = copyOf(name)
  spoil(damaged)
  expect(await said('backup', 'verify', damaged)).toMatchObject({ code: 1, out: expect.stringContaining(problem) })
  const into = join(dir, 'never')
  const restored = await said('backup', 'restore', damaged, '--data-dir', into)
  expect(restored).toMatchObject({ code: 1, err: expect.stringContaining('nothing was restored') })
  expect(existsSync(into)).toBe(false)
})

test('a path out of the backup is not followed', async () => {
  const evil = copyOf('evil')
  const text = readFileSync(join(evil, manifestName), 'utf8')
  writeFileSync(join(evil, manifestName), text.replace('"embedded-probe.token"', '"../data/instance.key"'))
  expect(await said('backup', 'restore', evil, '--data-dir', join(dir, 'never'))).toMatchObject({ code: 1 })
})

test('a key that opens nothing of it is a problem; without the key, it is said', async () => {
  const other = join(dir, 'other-key')
  const env = { WATCHPOST_INSTANCE_KEY: 'a key that is another one' }
  expect(await saidIn(env, ['backup', 'create', other, '--data-dir', data])).toMatchObject({ code: 0 })
  const found = await said('backup', 'verify', other)
  expect(found).toMatchObject({ code: 1, out: expect.stringContaining('does not open what is sealed') })
  const without = join(dir, 'without-key')
  const made = await said('backup', 'create', without, '--data-dir', data, '--without-key')
  expect(made.err).toContain('The instance key is not in it')
  expect(existsSync(join(without, 'instance.key'))).toBe(false)
  expect(await said('backup', 'verify', without)).toMatchObject({ code: 0, out: expect.stringContaining('note') })
})

test('without telemetry its commits are counted from the first again', async () => {
  const small = join(dir, 'small')
  const made = await said('backup', 'create', small, '--data-dir', data, '--without-telemetry', '--json')
  expect(JSON.parse(made.out)).toMatchObject({ telemetry: false, path: small })
  expect(existsSync(join(small, 'telemetry'))).toBe(false)
  const into = join(dir, 'small-data')
  expect(await said('backup', 'restore', small, '--data-dir', into)).toMatchObject({ code: 0 })
  const db = await open(into)
  expect(await db.all({ name: 'test', sql: 'select * from usage_folds' }, {})).toEqual([])
  await db.close()
})

test('a directory in use is refused, one that is not empty only with --force, which moves it aside', async () => {
  const into = join(dir, 'taken')
  const server = await open(into, true)
  for (const force of [[], ['--force']]) {
    const refused = await said('backup', 'restore', backup, '--data-dir', into, ...force)
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Another server runs on') })
  }
  await server.close()
  const before = readFileSync(join(into, 'watchpost.db'))
  const refused = await said('backup', 'restore', backup, '--data-dir', into)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('not empty') })
  expect(readdirSync(into).filter(name => name.startsWith('restoring'))).toEqual([])
  const forced = await said('backup', 'restore', backup, '--data-dir', into, '--force', '--json')
  const { aside } = JSON.parse(forced.out)
  expect(readFileSync(join(aside, 'watchpost.db')).equals(before)).toBe(true)
  const db = await open(into)
  expect(await db.all({ name: 'test', sql: 'select name from teams' }, {})).toEqual([{ name: 'My team' }])
  await db.close()
  for (const name of ['watchpost.db', 'instance.key', 'telemetry/metrics.db']) {
    expect(statSync(join(into, name)).mode & 0o777, name).toBe(0o600)
  }
})

test('what root restores or notes belongs to whom the directory does', async () => {
  const into = join(dir, 'of-somebody')
  mkdirSync(into)
  const uid = giveAway(into)
  expect(await said('backup', 'restore', backup, '--data-dir', into)).toMatchObject({ code: 0 })
  expect(await said('backup', 'restore', backup, '--data-dir', into, '--force')).toMatchObject({ code: 0 })
  const another = join(dir, 'of-somebody-backup')
  expect(await said('backup', 'create', another, '--data-dir', into)).toMatchObject({ code: 0 })
  const names = readdirSync(into, { recursive: true, encoding: 'utf8' })
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter(name => statSync(join(into, name)).uid !== uid)).toEqual([])
})

/** A data directory of somebody else's, where there is one, and a file that is not theirs. */
function theirs(name: string) {
  const [at, victim] = [join(dir, name), join(dir, `${name}-victim`)]
  cpSync(data, at, { recursive: true })
  const owner = giveAway(at)
  writeFileSync(victim, '', { mode: 0o600 })
  const { uid } = statSync(victim)
  return { at, owner, victim, isTouched: () => statSync(victim).uid !== uid || readFileSync(victim, 'utf8') !== '' }
}

test.each(['last-backup.json.new', 'last-backup.json'])(
  'where they lay a link %s, a note leads nowhere',
  async name => {
    const { at, owner, victim, isTouched } = theirs(`note-${name}`)
    rmSync(join(at, name), { force: true })
    symlinkSync(victim, join(at, name))
    expect(await said('backup', 'create', `${at}-backup`, '--data-dir', at)).toMatchObject({ code: 0 })
    expect(isTouched()).toBe(false)
    const note = lstatSync(join(at, 'last-backup.json'))
    expect([note.isFile(), note.uid]).toEqual([true, owner])
  },
)

test('where they lay a link for the lock, a restore leads nowhere', async () => {
  const { at, victim, isTouched } = theirs('lock')
  rmSync(join(at, 'server.lock'), { force: true })
  symlinkSync(victim, join(at, 'server.lock'))
  await said('backup', 'restore', backup, '--data-dir', at, '--force')
  expect(isTouched()).toBe(false)
})

test('a link in a backup is not restored, nor is what it leads to', async () => {
  const linked = copyOf('linked')
  rmSync(join(linked, 'instance.key'))
  symlinkSync(join(backup, 'instance.key'), join(linked, 'instance.key'))
  const { code, err } = await said('backup', 'restore', linked, '--data-dir', join(dir, 'never'))
  expect([code, err]).toEqual([1, expect.stringContaining('it is a link')])
  expect(existsSync(join(dir, 'never'))).toBe(false)
})

test('what cannot be read is named, with whom it belongs to', async () => {
  const { at, owner } = theirs('unreadable')
  for (const name of ['instance.key', 'telemetry/metrics.db']) {
    chmodSync(join(at, name), 0)
    const { code, err } = await said('backup', 'create', `${at}-backup`, '--data-dir', at)
    expect([code, err]).toEqual([1, expect.stringMatching(`${name} cannot be read .*it is of uid ${owner}`)])
  }
})

test('where its directory can only be written, a backup that is there is no failure', async () => {
  const { at, owner } = theirs('write-only-data')
  const backups = join(dir, 'write-only')
  mkdirSync(backups)
  giveAway(backups)
  chmodSync(backups, 0o300)
  const made = await said('backup', 'create', join(backups, 'one'), '--data-dir', at)
  chmodSync(backups, 0o700)
  expect(made).toMatchObject({ code: 0, out: `${join(backups, 'one')}\n` })
  // Where the data and the backups are theirs, it is, too: they delete what has become old.
  expect(statSync(join(backups, 'one/instance.key')).uid).toBe(owner)
})

test.each([
  ['nothing', () => null],
  ['a word', () => 'word'],
  ['nothing among the files', (said: object) => ({ ...said, files: [null] })],
])('a manifest of %s is damaged', async (what, spoil) => {
  const damaged = copyOf(`manifest of ${what}`)
  const file = join(damaged, manifestName)
  writeFileSync(file, JSON.stringify(spoil(JSON.parse(readFileSync(file, 'utf8')))))
  const { code, err } = await said('backup', 'verify', damaged)
  expect([code, err]).toEqual([1, expect.stringMatching(/is damaged: manifest\.json|is no backup/)])
})

test('verify has no use for the settings of a server, and does not ask for them', async () => {
  expect(await saidIn({ WATCHPOST_LISTEN: 'nowhere' }, ['backup', 'verify', backup])).toMatchObject({ code: 0 })
  expect(await said('backup', 'verify', backup, '--data-dir', data)).toMatchObject({ code: 2 })
})

test('one of a newer version is refused, one of an older is brought up to date by the next start', async () => {
  const newer = join(dir, 'newer-data')
  cpSync(data, newer, { recursive: true })
  const db = await open(newer)
  await db.script(`insert into schema_migrations (id, name, applied_at) values (9999, 'of tomorrow', 1)`)
  await db.close()
  const made = join(dir, 'newer')
  expect(await said('backup', 'create', made, '--data-dir', newer)).toMatchObject({ code: 0 })
  const refused = await said('backup', 'restore', made, '--data-dir', join(dir, 'never'))
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('use that version or a newer one') })
  expect(existsSync(join(dir, 'never'))).toBe(false)

  const old = await open(join(dir, 'old-data'))
  await migrate(old, migrations.slice(0, 10))
  await old.close()
  const oldBackup = join(dir, 'old')
  expect(await said('backup', 'create', oldBackup, '--data-dir', join(dir, 'old-data'))).toMatchObject({ code: 0 })
  expect(readManifest(oldBackup).schema).toBe(10)
  const into = join(dir, 'old-restored')
  expect(await said('backup', 'restore', oldBackup, '--data-dir', into)).toMatchObject({ code: 0 })
  expect(await said('migrate', '--data-dir', into)).toMatchObject({ code: 0 })
})
