import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { askOf } from './ask.ts'
import { type Loaded, loadFiles } from './load.ts'
import { escapeVariables, fillVariables } from './variables.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'watchpost-files-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const env = { HOST: 'shop.example', PORT: '8443', EMPTY: '', API_TOKEN: 't0ken', YES: 'true', TRICK: '\n  - name: B' }
const write = (name: string, text: string) => {
  mkdirSync(join(dir, name, '..'), { recursive: true })
  writeFileSync(join(dir, name), text)
}
const load = (...names: string[]): Promise<Loaded> =>
  loadFiles(
    names.map(name => join(dir, name)),
    { env, stdin: Readable.from(['']) } as unknown as Io,
  )
async function faults(...names: string[]): Promise<Record<string, string>> {
  const error = await load(...names).catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(UsageError)
  const { fields } = error as UsageError
  return Object.fromEntries(Object.entries(fields).map(([at, text]) => [at.replace(`${dir}/`, ''), text]))
}

test.each([
  [`https://\${HOST}/`, 'https://shop.example/', false],
  [`\${NOWHERE:-a.example}`, 'a.example', false],
  [`\${EMPTY:-b}`, 'b', false],
  [`\${EMPTY}`, '', false],
  [`$\${HOST}`, `\${HOST}`, false],
  ['a$b $1', 'a$b $1', false],
  [`\${HOST}:\${PORT}`, 'shop.example:8443', false],
  [`Bearer \${API_TOKEN}`, 'Bearer t0ken', true],
])('%s is %s', (text, filled, secret) => {
  expect(fillVariables(text, env)).toMatchObject({ text: filled, secret, faults: [] })
})

test.each([`\${NOWHERE}`, `\${1}`, `\${HOST`, `\${HOST-x}`])('%s is a fault', text => {
  expect(fillVariables(text, env).faults).toHaveLength(1)
})

test('what is escaped comes back', () => {
  for (const text of [`\${HOST}`, 'plain', `$\${X}`, '$']) {
    expect(fillVariables(escapeVariables(text), {}).text).toBe(text)
  }
})

test('files and folders come together, in the order of names; what is hidden and schemas are not read', async () => {
  write('a/2.yaml', 'monitors: [{ name: Two }]\n---\nmonitors: [{ name: Three }]\n')
  write('a/1.json', '{ "monitors": [{ "name": "One" }] }')
  write('a/deep/3.yml', 'status_pages: [{ slug: s }]\nmonitors:\n')
  write('a/.git/4.yaml', 'nonsense')
  write('a/watchpost.schema.json', '{ "type": "object" }')
  write('a/README.md', 'nonsense')
  const { resources, source } = await load('a')
  expect(resources).toEqual({
    monitors: [{ name: 'One' }, { name: 'Two' }, { name: 'Three' }],
    status_pages: [{ slug: 's' }],
  })
  expect(source).toBeUndefined()
})

test('a variable is a number where it stands alone, text in quotes, and never more than a value', async () => {
  write(
    'a.yaml',
    `monitors:
  - name: "\${PORT}"
    interval: \${PORT}
    enabled: \${YES}
    target: x:\${PORT}
  - name: \${TRICK}
`,
  )
  expect((await load('a.yaml')).resources.monitors).toEqual([
    { name: '8443', interval: 8443, enabled: true, target: 'x:8443' },
    { name: '\n  - name: B' },
  ])
})

test('secrets are known by the name of the variable, or because it is said', async () => {
  write(
    'a.yaml',
    `monitors:
  - name: A
    options:
      auth: { type: bearer, token: "\${API_TOKEN}" }
      headers: { secret: plain }
      body: { secret: "\${HOST}" }
  - { name: B, target: "https://x/?key=\${API_TOKEN}" }
channels:
  - { name: C, secret: abc }
`,
  )
  const { resources, secrets } = await load('a.yaml')
  expect(secrets.toSorted()).toEqual(['monitors.0.options.auth.token', 'monitors.0.options.body', 'monitors.1.target'])
  expect(resources.monitors).toMatchObject([
    { options: { auth: { token: 't0ken' }, headers: { secret: 'plain' }, body: 'shop.example' } },
    { target: 'https://x/?key=t0ken' },
  ])
  expect(resources.channels).toEqual([{ name: 'C', secret: 'abc' }])
})

test('every fault is named by file and line', async () => {
  write('a.yaml', `monitors:\n  - name: A\n    target: \${NOWHERE}\npages: []\nchannels: 5\nmaintenance: [text]\n`)
  write('b.yaml', '- name: A\n')
  write('c.yaml', 'monitors:\n  - name: "A\n')
  write('d.yaml', 'source: one\n')
  write('e.yaml', 'source: two\n')
  expect(await faults('a.yaml', 'b.yaml')).toEqual({
    'a.yaml:3': `the variable NOWHERE is not set; export it, or write \${NOWHERE:-default}`,
    'a.yaml:4': 'unknown heading "pages"; there are monitors, status_pages, channels, maintenance and source',
    'a.yaml:5': 'channels must be a list',
    'a.yaml:6': 'maintenance must be a list of fields',
    'b.yaml:1': 'must have headings (monitors, status_pages, channels, maintenance)',
  })
  expect(Object.keys(await faults('c.yaml'))[0]).toMatch(/^c\.yaml:\d$/)
  expect(Object.values(await faults('d.yaml', 'e.yaml'))[0]).toContain('source is "two" here and "one" in ')
})

test.each([
  '---\nmonitors: [{ name: A }]\n---\n',
  '---\n# nothing yet\n---\nmonitors: [{ name: A }]\n---\n\n---\n# end\n',
])('a document that is empty is as good as none: %j', async text => {
  write('a.yaml', text)
  expect((await load('a.yaml')).resources).toEqual({ monitors: [{ name: 'A' }] })
  write('b.yaml', '--- nothing\n')
  expect(await faults('a.yaml', 'b.yaml')).toEqual({
    'b.yaml:1': 'must have headings (monitors, status_pages, channels, maintenance)',
  })
})

test('the place of a field is its line', async () => {
  write('a.yaml', 'monitors:\n  - name: A\n    options:\n      json:\n        - path: x\n        - path: y\n')
  const [place] = (await load('a.yaml')).places.monitors
  expect([place?.line([]), place?.line(['options', 'json', '1', 'path']), place?.line(['target'])]).toEqual([2, 6, 2])
})

test('many aliases of aliases are refused, not multiplied', async () => {
  const levels = Array.from({ length: 12 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(10).fill(`*x${n}`).join(', ')}]`)
  write('a.yaml', ['x0: &x0 [a]', ...levels, 'monitors: *x12', ''].join('\n'))
  expect(Object.values(await faults('a.yaml')).join()).toContain('alias')
})

test.each([['nowhere', /cannot read .*ENOENT/]])('%s is said', async (name, message) => {
  await expect(load(name)).rejects.toThrow(message)
})

test.each([
  ['nothing', '', undefined, false],
  ['a source alone', 'source: shop', undefined, false],
  ['a heading alone, as when its items are commented out', 'source: shop\nmonitors:', undefined, false],
  ['an empty list of nobody', 'monitors: []', undefined, false],
  ['an empty list of a source', 'source: shop\nmonitors: []', undefined, true],
  ['an empty list and --source', 'monitors: []', 'shop', true],
])('%s is a reason to delete everything: %#', async (_, text, source, isOne) => {
  write('all.yaml', text)
  const loaded = await load('all.yaml')
  const ask = () => askOf(loaded, { prune: true, ...(source === undefined ? {} : { source }) })
  if (isOne) expect(ask()).toEqual({ resources: {}, source: 'shop', prune: true })
  else expect(ask).toThrow('--prune: the files name nothing at all')
})

test('a folder without files is a mistake', async () => {
  mkdirSync(join(dir, 'empty'))
  await expect(load('empty')).rejects.toThrow('holds no .yaml, .yml or .json file')
})
