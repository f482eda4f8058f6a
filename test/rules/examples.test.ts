import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import Ajv from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const root = new URL('../../', import.meta.url).pathname
const read = (file: string) => readFileSync(root + file, 'utf8')

test('the container file copies what there is, and runs the probe as a user without rights', () => {
  const file = read('examples/container/Containerfile').replaceAll('\\\n', ' ')
  const lines = file.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  const copied = lines
    .filter(line => line.startsWith('COPY'))
    .flatMap(line =>
      line
        .split(' ')
        .filter(word => !word.startsWith('--'))
        .slice(1, -1),
    )
  // Made by the build.
  const made = ['/src/node_modules', '/src/dist']
  const missing = copied.filter(path => !made.includes(path) && !existsSync(root + path.replace('/src/', '')))
  expect(missing).toEqual([])
  expect(lines).toContain('USER node')
  expect(lines.filter(line => line.startsWith('HEALTHCHECK'))).toHaveLength(1)
  const entry = lines.find(line => line.startsWith('ENTRYPOINT'))?.replace('ENTRYPOINT ', '') ?? ''
  expect(JSON.parse(entry)).toEqual(['/opt/watchpost/bin/watchpost-probe'])
})

test('the probe imports nothing of the server', () => {
  const source = `${root}packages/probe/src/bin.ts`
  const { stdout, stderr } = spawnSync(process.execPath, [source, '--help'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toContain('Usage: watchpost-probe')
  const { dependencies } = JSON.parse(read('packages/probe/package.json'))
  expect(Object.keys(dependencies)).not.toContain('@watchpost/store')
})

test('the compose file gives the probe one capability and its token as a secret', () => {
  const { services, secrets, volumes } = parse(read('examples/compose.yaml'))
  const { probe } = services
  expect([probe.cap_drop, probe.cap_add]).toEqual([['ALL'], ['NET_RAW']])
  expect(existsSync(`${root}examples/${probe.build.context}/${probe.build.dockerfile}`)).toBe(true)
  for (const secret of probe.secrets) expect(Object.keys(secrets)).toContain(secret)
  for (const volume of probe.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
})

test.each([
  ['probe', 'CAP_NET_RAW', 'notify'],
  ['server', '', 'exec'],
])('the unit of the %s gives it the capabilities "%s" and no others', (name, capability, type) => {
  const lines = read(`examples/systemd/watchpost-${name}.service`).split('\n')
  const settings = lines.filter(line => line !== '' && !/^[#[]/.test(line))
  expect(settings.filter(line => !/^[A-Z][A-Za-z0-9]+=/.test(line))).toEqual([])
  for (const setting of [
    `Type=${type}`,
    `AmbientCapabilities=${capability}`,
    `CapabilityBoundingSet=${capability}`,
    'DynamicUser=yes',
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
  ])
    expect(settings).toContain(setting)
  // V8 could not run.
  expect(settings.join()).not.toContain('MemoryDenyWriteExecute')
  const program = settings.find(line => line.startsWith('ExecStart='))?.split(/[= ]/)[1] ?? ''
  expect(existsSync(root + program.replace('/opt/watchpost/', ''))).toBe(true)
})

const monitoring = 'examples/monitoring'
const schema = JSON.parse(read(`${monitoring}/watchpost.schema.json`))
const files = readdirSync(root + monitoring).filter(name => name.endsWith('.yaml'))
const judge = new Ajv.default({ strict: false, validateFormats: false }).compile(schema)

test.each(files)('an editor finds no fault in %s', name => {
  const text = read(`${monitoring}/${name}`)
  expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=watchpost.schema.json')
  expect(judge(parse(text)), JSON.stringify(judge.errors)).toBe(true)
})

test.each([
  ['an unknown field', { monitors: [{ name: 'A', type: 'tcp', target: 'a:1', intervall: 30 }] }],
  ['an option of another type', { monitors: [{ name: 'A', type: 'tcp', target: 'a:1', options: { keyword: 'x' } }] }],
  ['a number out of bounds', { monitors: [{ name: 'A', type: 'tcp', target: 'a:1', interval: 5 }] }],
  ['a monitor without a target', { monitors: [{ name: 'A', type: 'tcp' }] }],
  ['an unknown heading', { monitor: [] }],
  ['a page with a monitor of no name', { status_pages: [{ slug: 'shop', title: 'Shop', monitors: [''] }] }],
])('an editor marks %s', (_, value) => {
  expect(judge(value)).toBe(false)
})

test('an editor takes the monitors of a page as names and as objects', () => {
  const monitors = ['Shop', 7, `\${SHOP}`, { monitor: 'Search', group_name: 'Front' }]
  const isFine = judge({ status_pages: [{ slug: 'shop', title: 'Shop', monitors }] })
  expect(isFine, JSON.stringify(judge.errors)).toBe(true)
})
