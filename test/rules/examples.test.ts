import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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
