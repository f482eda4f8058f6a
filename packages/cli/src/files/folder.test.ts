import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { filesOf } from './folder.ts'

let dir: string
const cwd = process.cwd()
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'watchpost-folder-'))
  process.chdir(dir)
})
afterEach(() => {
  process.chdir(cwd)
  rmSync(dir, { recursive: true })
})

const write = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(join(dir, name, '..'), { recursive: true })
    writeFileSync(join(dir, name), '')
  }
}
const link = (name: string, to: string) => {
  mkdirSync(join(dir, name, '..'), { recursive: true })
  symlinkSync(to, join(dir, name))
}
const found = async (...paths: string[]) =>
  (await filesOf(paths)).map(path => relative(dir, join(path.startsWith('/') ? '' : dir, path)))

test.each(['m', 'm/', './m', './m/', 'm//', './/m', '../HERE/m/', '/HERE/m', '/HERE/m/'])(
  'a folder written %s holds the same',
  async written => {
    write('m/a.yaml', 'm/eu.yaml', 'm/s.json', 'm/sub/.hidden.yaml', 'm/sub/.git/x.yaml', 'm/sub/b.yml', 'm/.x.yaml')
    const path = written.replace('/HERE', written.startsWith('/') ? dir : `/${dir.split('/').at(-1)}`)
    expect(await found(path)).toEqual(['m/a.yaml', 'm/eu.yaml', 'm/s.json', 'm/sub/b.yml'])
  },
)

test.each(['.', './', './.', '..//HERE'])('here, written %s, without what is hidden', async written => {
  write('a.yaml', 'b/c.yaml', '.github/workflows/ci.yml', '.a.yaml', 'b/.d/e.yaml')
  expect(await found(written.replace('/HERE', `/${dir.split('/').at(-1)}`))).toEqual(['a.yaml', 'b/c.yaml'])
})

test('what is hidden is read where it is named', async () => {
  write('.github/ci.yml', '.a.yaml')
  expect(await found('.github', '.a.yaml')).toEqual(['.github/ci.yml', '.a.yaml'])
})

test('links to files and folders are followed, as a ConfigMap has them', async () => {
  write('map/..2026_11_21/web.yaml', 'map/..2026_11_21/more/db.yaml')
  link('map/..data', '..2026_11_21')
  link('map/web.yaml', '..data/web.yaml')
  link('map/more', '..data/more')
  expect(await found('map')).toEqual(['map/more/db.yaml', 'map/web.yaml'])
})

test('each real file is read once, whatever leads to it, and circles end', async () => {
  write('m/a.yaml', 'm/sub/b.yaml', 'else/c.yaml')
  link('m/again.yaml', 'a.yaml')
  link('m/sub/up', '..')
  link('m/self', '.')
  link('m/else', '../else')
  link('m/zelse', '../else')
  expect(await found('m')).toEqual(['m/a.yaml', 'm/else/c.yaml', 'm/sub/b.yaml'])
  expect(await found('m/sub/b.yaml', 'm', 'm/sub', './m/a.yaml')).toEqual(['m/sub/b.yaml', 'm/a.yaml', 'm/else/c.yaml'])
})

test.each([
  ['gone.yaml', 'nowhere.yaml', 'ENOENT'],
  ['gone', '../nowhere', 'ENOENT'],
  ['round.yaml', 'round.yaml', 'ELOOP'],
])('a link that leads nowhere is an error: %s', async (name, to, code) => {
  write('m/a.yaml')
  link(`m/${name}`, to)
  await expect(filesOf(['m'])).rejects.toThrow(`cannot read what the link m/${name} leads to (${code})`)
})

test("a hidden link is nobody's business", async () => {
  write('m/a.yaml')
  link('m/.#a.yaml', 'ada@host.1234')
  expect(await found('m')).toEqual(['m/a.yaml'])
})
