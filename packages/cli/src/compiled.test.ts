import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const dir = mkdtempSync(join(tmpdir(), 'watchpost-compiled-'))
afterAll(() => rmSync(dir, { recursive: true }))
const script = join(dir, 'main.js')
const kept = join(dir, 'kept')
const loader = new URL('compiled.ts', import.meta.url).href
writeFileSync(
  script,
  `(async $import => {
    const { sep } = await $import('node:path')
    return { run: word => word + sep.length + seldom() }
    function seldom() { return ' of ' + 1 }
  })`,
)

/** The script in a process of its own, as a command of this name; it ends with the code given. */
function start(name: string, { folder = kept, code = 0 } = {}): string {
  const program = `import { loadCompiled } from ${JSON.stringify(loader)}
    const { run } = await loadCompiled(${JSON.stringify(script)}, ${JSON.stringify(folder)}, ${JSON.stringify(name)})
    console.log(await run('slash '))
    process.exitCode = ${code}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim()
}
const files = () => readdirSync(kept, { recursive: true }).map(String).sort()

test('what is compiled is kept by the name of the command, once', () => {
  expect(start('monitors.list')).toBe('slash 1 of 1')
  const [build = '', file = ''] = files()
  expect([files().length, file]).toEqual([2, join(build, 'monitors.list')])
  const before = readFileSync(join(kept, file))
  expect(start('monitors.list')).toBe('slash 1 of 1')
  expect(readFileSync(join(kept, file)).equals(before)).toBe(true)
  start('monitors.get')
  expect(files()).toEqual([build, join(build, 'monitors.get'), join(build, 'monitors.list')])
})

test('a part of it is not taken for it, and is made anew', () => {
  const file = join(kept, files().find(each => each.endsWith('list')) ?? '')
  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, whole.length / 2))
  expect(start('monitors.list')).toBe('slash 1 of 1')
  expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2)
})

test('of a mistake nothing is kept, and what was kept of another build goes', () => {
  mkdirSync(join(kept, '1-2-v3'))
  start('typo', { code: 2 })
  expect(files().filter(each => each.endsWith('typo'))).toEqual([])
  start('export')
  expect(files()).not.toContain('1-2-v3')
})

test('where nothing can be kept, it runs all the same', () => {
  expect(start('monitors.list', { folder: '/dev/null/kept' })).toBe('slash 1 of 1')
})
