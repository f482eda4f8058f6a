import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { wholeProgram } from './main.ts'
import { monitorctl } from './testing/monitorctl.ts'
import {
  check,
  incident,
  json,
  maintenance,
  monitor,
  type Seen,
  type ServerDouble,
  startServerDouble,
} from './testing/server-double.ts'
import { textWidth } from './width.ts'

let server: ServerDouble
const team = { id: 1, name: 'Acme', plan: 'pro', caller: { role: 'admin', scopes: ['status-pages:write'] } }

beforeEach(async () => {
  server = await startServerDouble({
    monitors: [monitor(), monitor({ id: 2, name: 'Db', type: 'tcp', target: 'db:5432', status: 'offline' })],
    checks: [check(), check({ run_id: 'run-2', status: 'offline', error_kind: 'timeout', response_time_ms: null })],
    team: [team],
  })
})
afterEach(() => server.close())

const run = (...argv: string[]) => monitorctl(argv, { server })
const last = () => server.seen.at(-1) as Seen

describe('what is asked of the server', () => {
  test.each([
    ['monitors list --status offline --per-page 5 --sort -name', 'GET /v1/monitors', { status: 'offline', per_page: '5', sort: '-name' }, undefined],
    ['monitors get 2', 'GET /v1/monitors/2', {}, undefined],
    ['monitors create --name A --target a:1 --type tcp --no-ssl-verify --option tls=true', 'POST /v1/monitors', {},
      { name: 'A', target: 'a:1', type: 'tcp', ssl_verify: false, options: { tls: true } }],
    ['monitors update 2 --interval 30 --enabled false', 'PATCH /v1/monitors/2', {}, { interval: 30, enabled: false }],
    ['monitors delete 2 --yes', 'DELETE /v1/monitors/2', {}, undefined],
    ['monitors pause 2', 'PATCH /v1/monitors/2', {}, { enabled: false }],
    ['monitors resume 2', 'PATCH /v1/monitors/2', {}, { enabled: true }],
    ['monitors checks 1 --status offline', 'GET /v1/monitors/1/checks', { status: 'offline' }, undefined],
    ['monitors metrics 2 --from 2026-11-20T00:00:00Z --resolution 1h', 'GET /v1/monitors/2/metrics',
      { from: '2026-11-20T00:00:00Z', resolution: '1h' }, undefined],
    ['tokens list', 'GET /v1/tokens', {}, undefined],
    ['tokens create --name ci --role viewer --scope status-pages:write', 'POST /v1/tokens', {},
      { name: 'ci', role: 'viewer', scopes: ['status-pages:write'] }],
    ['audit list --kind monitor --resource-id 7', 'GET /v1/audit-log', { kind: 'monitor', resource_id: '7' }, undefined],
    ['probes list --region eu', 'GET /v1/probes', { region: 'eu' }, undefined],
    ['probes create --name p --region eu', 'POST /v1/probes', {}, { name: 'p', region: 'eu' }],
    ['channels list', 'GET /v1/channels', {}, undefined],
    ['channels create --name c --type webhook --url https://hook.example/', 'POST /v1/channels', {},
      { name: 'c', type: 'webhook', url: 'https://hook.example/' }],
    ['apps list --sort -id', 'GET /api/observability/apps', { sort: '-id' }, undefined],
    ['apps create --name a --allowed-origin https://a.example --allowed-origin https://b.example', 'POST /api/observability/apps',
      {}, { name: 'a', allowed_origins: ['https://a.example', 'https://b.example'] }],
    ['channels create --name e --type email --to a@a.example --to b@a.example --event alert.triggered --monitor-id 7',
      'POST /v1/channels', {},
      { name: 'e', type: 'email', to: ['a@a.example', 'b@a.example'], events: ['alert.triggered'], monitor_ids: [7] }],
    ['incidents list --status investigating --sort -started_at', 'GET /v1/incidents',
      { status: 'investigating', sort: '-started_at' }, undefined],
    ['incidents create --title Slow --severity minor --monitor-id 1 --monitor-id 2', 'POST /v1/incidents', {},
      { title: 'Slow', severity: 'minor', monitor_ids: [1, 2] }],
    ['status-pages list --is-public false', 'GET /v1/status-pages', { is_public: 'false' }, undefined],
    ['status-pages create --slug acme --title Acme --theme layout=dark', 'POST /v1/status-pages', {},
      { slug: 'acme', title: 'Acme', theme: { layout: 'dark' } }],
    ['status-pages assign 3 1 --display-name Shop', 'POST /v1/status-pages/3/monitors', {}, { monitor_id: 1, display_name: 'Shop' }],
    ['status-pages unassign 3 1', 'DELETE /v1/status-pages/3/monitors/1', {}, undefined],
    ['team get', 'GET /v1/team', {}, undefined],
    ['whoami', 'GET /v1/team', {}, undefined],
    ['api updateMonitor --param id=1 --body {"interval":20}', 'PATCH /v1/monitors/1', {}, { interval: 20 }],
    ['api listMonitors --query per_page=1', 'GET /v1/monitors', { per_page: '1' }, undefined],
  ])('%s', async (line, request, query, body) => {
    expect(await run(...line.split(' '))).toMatchObject({ code: 0 })
    expect(`${last().method} ${last().path}`).toBe(request)
    expect(last()).toMatchObject({ query, body, headers: { authorization: 'Bearer wp_api_test' } })
  }) // biome-ignore format: a case a line

  test('monitors metrics shows the figures, and a line for each point that somebody watched', async () => {
    const { code, stdout } = await run('monitors', 'metrics', '1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^uptime: +99\.5$/m)
    expect(stdout).toMatch(/^response_time_ms\.p95: +140\.2$/m)
    expect(stdout).toMatch(/^AT +UPTIME +COVERAGE +AVERAGE +P50 +P95 +P99 +CHECKS$/m)
    expect(stdout).toMatch(/^2026-11-21 09:20:00Z +99\.50 % +100 % +88 ms +80 ms +140 ms +210 ms +200$/m)
    expect(stdout).not.toContain('2026-11-21 09:25:00Z')
  })

  test('monitors explain says why, who says so, and what each change was decided on', async () => {
    const { code, stdout } = await run('monitors', 'explain', '1')
    expect([code, `${last().method} ${last().path}`]).toEqual([0, 'GET /v1/monitors/1/explain'])
    expect(stdout).toMatch(/^repeat: +curl -sS -i --max-time 10 https:\/\/shop\.example\/$/m)
    expect(stdout).toMatch(/^WHY\n1 of 2 regions that look see it down \(eu\)/m)
    expect(stdout).toMatch(/^eu +down +1 +eu-1 /m)
    expect(stdout).toMatch(/online → offline/)
    expect(stdout).toMatch(
      /offline .* connect 0\.4, first byte 31 +assertion_failed: \$\.ok is false; status_code=200; address=192\.0\.2\.1$/m,
    )
    const narrow = await monitorctl(['monitors', 'explain', '1'], { server, terminal: 80, env: { NO_COLOR: '1' } })
    const seen = '    assertion_failed: $.ok is false; status_code=200; address=192.0.2.1'
    expect(narrow.stdout.split('\n').map(line => line.trimEnd())).toContain(seen)
    expect(narrow.stdout).not.toContain('…')
    const json = await run('monitors', 'explain', '1', '-o', 'json')
    expect(JSON.parse(json.stdout).changes[0].attempts[0].details.address).toBe('192.0.2.1')
  })

  test.each([
    ['tokens', 'revoke', 'tokens'],
    ['probes', 'delete --yes', 'probes'],
    ['channels', 'delete --yes', 'channels'],
    ['status-pages', 'delete --yes', 'status-pages'],
    ['incidents', 'delete --yes', 'incidents'],
  ])('%s %s deletes', async (noun, verb, path) => {
    server.tables[path] = [{ id: 5 }]
    expect(await run(noun, ...verb.split(' '), '5')).toMatchObject({ code: 0, stdout: '' })
    expect(`${last().method} ${last().path}`).toBe(`DELETE /v1/${path}/5`)
  })

  test('channels: read, change, test, log, replay, rotate', async () => {
    server.tables.channels = [{ id: 4, name: 'ops', type: 'webhook', enabled: true, disabled_at: null }]
    const asked = async (...argv: string[]) => {
      await run('channels', ...argv)
      return [last().method, last().path]
    }
    expect(await asked('get', '4')).toEqual(['GET', '/v1/channels/4'])
    expect(await asked('update', '4', '--enabled', 'false')).toEqual(['PATCH', '/v1/channels/4'])
    expect(last().body).toEqual({ enabled: false })
    expect(await asked('deliveries', '4', '--status', 'failed')).toEqual(['GET', '/v1/channels/4/deliveries'])
    expect(last().query).toEqual({ status: 'failed' })
    expect(await asked('deliveries', '4', 'msg_1')).toEqual(['GET', '/v1/channels/4/deliveries/msg_1'])
    expect(await asked('replay', '4', 'msg_1')).toEqual(['POST', '/v1/channels/4/deliveries/msg_1/replay'])
    expect(await asked('test', '4')).toEqual(['POST', '/v1/channels/4/test'])
    expect(await asked('rotate-secret', '4')).toEqual(['POST', '/v1/channels/4/rotate-secret'])
    server.instead = (_, response) => {
      server.instead = undefined
      return json(response, 404, { success: false, message: 'Not found', code: 'not_found', status: 404, errors: {} })
    }
    const missing = await run('channels', 'replay', '5', 'msg_9')
    expect(missing.stderr).toContain('; "monitorctl channels deliveries 5" shows what there is')
    const slack = [
      'channels',
      'create',
      '--name',
      'team',
      '--type',
      'slack',
      '--url',
      'https://a.example',
      '-o',
      'name',
    ]
    expect(await run(...slack)).toEqual({ code: 0, stdout: 'team\n', stderr: '' })
    const webhook = slack.map(word => (word === 'slack' ? 'webhook' : word))
    server.seen.length = 0
    expect(await run(...webhook)).toMatchObject({ code: 2, stderr: expect.stringContaining('would lose the secret') })
    expect(await run('channels', 'rotate-secret', '4', '-o', 'name')).toMatchObject({ code: 2 })
    expect(server.seen).toEqual([])
  })

  test('incidents update changes fields, resolve says so in the timeline and shows what became of it', async () => {
    server.tables.incidents = [incident()]
    expect(await run('incidents', 'update', '1', '--status', 'identified')).toMatchObject({ code: 0 })
    expect(last()).toMatchObject({ method: 'PATCH', path: '/v1/incidents/1', body: { status: 'identified' } })
    const { code, stdout, stderr } = await run('incidents', 'resolve', '1', '--message', 'Replaced the disk.')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Incident resolved.\n' })
    expect(server.seen.at(-2)).toMatchObject({
      method: 'POST',
      path: '/v1/incidents/1/updates',
      body: { message: 'Replaced the disk.', status: 'resolved' },
    })
    expect(stdout).toMatch(/status: +resolved/)
    expect(stdout).toMatch(/AT +STATUS +MESSAGE\n.*resolved +Replaced the disk\.\n/)
  })

  test('apps are changed, rotated, topped up and deleted', async () => {
    server.tables.apps = [{ id: 5, name: 'Shop', allowed_origins: [] }]
    for (const [line, request, body] of [
      ['update 5 --name Mail', 'PATCH /api/observability/apps/5', { name: 'Mail' }],
      ['rotate 5 --key api_key', 'POST /api/observability/apps/5/rotate', { key: 'api_key' }],
      [
        'top-up 5 --events 3 --logs-bytes 1000',
        'POST /api/observability/apps/5/top-up',
        { events: 3, logs_bytes: 1000 },
      ],
      ['delete 5 --yes', 'DELETE /api/observability/apps/5', undefined],
    ] as const) {
      expect(await run('apps', ...line.split(' '))).toMatchObject({ code: 0 })
      expect(`${last().method} ${last().path}`).toBe(request)
      expect(last().body).toEqual(body)
    }
  })

  test('what is missing of apps rotate and top-up is said before anything is sent', async () => {
    expect(await run('apps', 'rotate', '5')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--key: is required/),
    })
    expect(await run('apps', 'top-up', '5')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--sessions, --events, --spans, --logs-bytes/),
    })
    expect(await run('usage', 'x')).toMatchObject({ code: 2, stderr: expect.stringMatching(/APP_ID/) })
    expect(server.seen).toEqual([])
  })

  test('usage is a table with percents, and the whole answer as JSON', async () => {
    const quota = (limit: number | null, used: number) => ({
      limit,
      used,
      remaining: limit && Math.max(0, limit - used),
    })
    const usage = {
      period: '2026-11',
      quotas: {
        rum_sessions: quota(1000, 999),
        rum_events: quota(10_000, 10_000),
        replay_bytes: quota(null, 0),
        otlp_spans: quota(10_000, 1234),
        logs_bytes: quota(100_000_000, 0),
      },
      overage_handling: 'reject',
      top_up_balance: { sessions: 0, events: 5, spans: 0, logs_bytes: 0 },
    }
    server.instead = (_, response) => json(response, 200, usage)
    const { code, stdout } = await run('usage', '5')
    expect([code, last().path]).toEqual([0, '/api/observability/apps/5/usage'])
    expect(stdout).toMatch(/top_up_balance\.events: +5\n/)
    expect(stdout).toMatch(/QUOTA +USED +LIMIT +PERCENT +LEFT\n/)
    expect(stdout).toMatch(/rum_sessions +999 +1,000 +99 % +1\n/)
    expect(stdout).toMatch(/rum_events +10,000 +10,000 +100 % +0\n/)
    expect(stdout).toMatch(/replay_bytes +0 +none +- +-\n/)
    expect(stdout).toMatch(/otlp_spans +1,234 +10,000 +12 % +8,766\n/)
    expect(JSON.parse((await run('usage', '5', '-o', 'json')).stdout)).toEqual(usage)
  })

  test('incidents resolve without a message asks nothing of the server', async () => {
    const { code, stderr } = await run('incidents', 'resolve', '1')
    expect({ code, stderr, seen: server.seen }).toEqual({
      code: 2,
      stderr: expect.stringContaining('--message: is required'),
      seen: [],
    })
  })

  test('global flags stand anywhere, the nearest to the verb counting most', async () => {
    const world = { env: { WATCHPOST_URL: 'http://127.0.0.1:9', WATCHPOST_TOKEN: 'x' } }
    const flags = ['--url', server.url, '--token', server.token]
    for (const argv of [
      [...flags, 'monitors', 'list'],
      ['monitors', ...flags, 'list'],
      ['monitors', 'list', ...flags],
      ['--url', 'http://127.0.0.1:9', 'monitors', 'list', ...flags],
    ]) {
      expect(await monitorctl(argv, world)).toMatchObject({ code: 0 })
    }
  })

  test('channels create has a --url of its own; the server’s comes before the noun', async () => {
    const argv = ['channels', 'create', '--name', 'c', '--type', 'webhook', '--url', 'https://hook.example/']
    const env = { WATCHPOST_TOKEN: server.token }
    expect(await monitorctl(['--url', server.url, ...argv], { env })).toMatchObject({ code: 0 })
    expect(last().body).toMatchObject({ url: 'https://hook.example/' })
    const without = await monitorctl(argv, { env })
    expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('set WATCHPOST_URL') })
  })

  test('--all reads every page', async () => {
    server.tables.monitors = Array.from({ length: 230 }, (_, index) => monitor({ id: index + 1 }))
    const { stdout } = await run('monitors', 'list', '--all', '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject({ data: { length: 230 }, meta: { total: 230, total_pages: 1 } })
    expect(server.seen.map(seen => seen.query.page)).toEqual(['1', '2', '3'])
  })

  test('update sets one option and keeps the others; null takes one out', async () => {
    server.tables.monitors = [monitor({ options: { keyword: 'ok', confirmations: 3, body: 'x' } })]
    await run('monitors', 'update', '1', '--option', 'confirmations=5', '--option', 'body=null')
    expect(last().body).toEqual({ options: { keyword: 'ok', confirmations: 5 } })
  })
})

describe('files', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cli-files-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  afterAll(() => rmSync(dir, { recursive: true }))
  const yaml = 'name: Shop\ntype: https\ntarget: https://shop.example/\noptions:\n  keyword: ok\n  confirmations: 3\n'

  test('create takes YAML; flags override, options one by one', async () => {
    await run('monitors', 'create', '-f', file('m.yaml', yaml), '--name', 'Other', '--option', 'confirmations=1')
    expect(last().body).toMatchObject({ name: 'Other', type: 'https', options: { keyword: 'ok', confirmations: 1 } })
  })

  test('create takes JSON from standard input', async () => {
    const stdin = JSON.stringify({ name: 'A', type: 'tcp', target: 'a:1' })
    expect(await monitorctl(['monitors', 'create', '-f', '-'], { server, stdin })).toMatchObject({ code: 0 })
    expect(last().body).toEqual(JSON.parse(stdin))
    await monitorctl(['api', 'createMonitor', '--body', '-'], { server, stdin })
    expect(last().body).toEqual(JSON.parse(stdin))
  })

  test.each([
    ['- a\n- b\n', /must hold fields/],
    ['name: [\n', /:.*line/],
    ['name: A\n---\nname: [\n', /:.*line 4/],
    [
      'name: A\n---\nname: B\n',
      /^error: standard input: holds 2 documents; here the fields of one thing are asked for/,
    ],
    ['---\nname: A\ntype: tcp\n---\n# end\n', /--target: is required/],
    ['nme: A\n', /^error: standard input: there is no field "nme"; did you mean "name"\?\n$/],
    [
      'name: A\nssl-verify: false\nKlaus: 1\n',
      /2 fields of standard input are unknown\n {2}ssl-verify: did you mean "ssl_verify"\?\n {2}Klaus: unknown\n$/,
    ],
    ['monitors:\n  - name: A\n', /^error: standard input: has headings \(monitors\), .*"monitorctl apply -f -"/],
    ['name: A\nmonitors: [Shop]\n', /^error: standard input: there is no field "monitors"/],
    ['source: shop\nchannels: []\n', /^error: standard input: has headings \(channels\)/],
    ['name: A\n', /2 flags need mending\n {2}--target: is required\n {2}--type: is required/],
  ])('%j is refused before anything is sent', async (text, message) => {
    const { code, stderr } = await monitorctl(['monitors', 'create', '-f', '-'], { server, stdin: text })
    expect({ code, seen: server.seen }).toEqual({ code: 2, seen: [] })
    expect(stderr).toMatch(message)
  })
})

describe('incidents update --message', () => {
  beforeEach(() => {
    server.tables.incidents = [incident()]
  })
  const sent = () => server.seen.map(({ method, path, body }) => [method, path, body])

  test('says something, with the status where one is given', async () => {
    const { code, stderr } = await run('incidents', 'update', '1', '--message', 'looking', '--status', 'monitoring')
    expect([code, stderr]).toEqual([0, 'Update added.\n'])
    expect(sent()).toEqual([
      ['POST', '/v1/incidents/1/updates', { message: 'looking', status: 'monitoring' }],
      ['GET', '/v1/incidents/1', undefined],
    ])
    server.seen.length = 0
    await run('incidents', 'update', '1', '--message', 'still looking')
    expect(sent()[0]).toEqual(['POST', '/v1/incidents/1/updates', { message: 'still looking' }])
  })

  test('other fields are changed as ever, and first: that can be done again', async () => {
    const stdin = 'message: looking\nstatus: identified\ntitle: Disks\n'
    const words = ['incidents', 'update', '1', '--severity', 'critical', '-f', '-', '-o', 'name']
    const { code, stdout, stderr } = await monitorctl(words, { server, stdin })
    expect([code, stdout, stderr]).toEqual([0, 'Disks\n', ''])
    expect(sent()).toEqual([
      ['PATCH', '/v1/incidents/1', { severity: 'critical', title: 'Disks' }],
      ['POST', '/v1/incidents/1/updates', { message: 'looking', status: 'identified' }],
      ['GET', '/v1/incidents/1', undefined],
    ])
    server.seen.length = 0
    await run('incidents', 'update', '1', '--status', 'identified')
    expect(sent()).toEqual([['PATCH', '/v1/incidents/1', { status: 'identified' }]])
  })

  test.each([
    [['--message', ''], '--message: must not be empty'],
    [[], 'nothing to change: give a field, such as --title, --message, or -f FILE'],
  ])('%j is refused before anything is sent', async (words, message) => {
    const { code, stderr } = await run('incidents', 'update', '1', ...words)
    expect([code, stderr, server.seen]).toEqual([2, `error: ${message}\n`, []])
  })
})

test('a field that has no flag is no stranger', async () => {
  const fields = { title: 'Disks', monitor_ids: [1], starts_at: '2099-01-01T00:00:00Z', duration: 60 }
  const stdin = JSON.stringify({ ...fields, recurrence: { frequency: 'daily' } })
  await monitorctl(['maintenance', 'create', '-f', '-'], { server, stdin })
  expect(last().body).toMatchObject({ recurrence: { frequency: 'daily' } })
  const wrong = JSON.stringify({ ...fields, recurence: {} })
  const { code, stderr } = await monitorctl(['maintenance', 'update', '1', '-f', '-'], { server, stdin: wrong })
  expect([code, stderr]).toEqual([
    2,
    'error: standard input: there is no field "recurence"; did you mean "recurrence"?\n',
  ])
})

describe('what is printed', () => {
  test('-o json is what data holds; a list with its meta', async () => {
    expect(JSON.parse((await run('monitors', 'get', '1', '-o', 'json')).stdout)).toEqual(monitor())
    const list = JSON.parse((await run('monitors', 'list', '-o', 'json')).stdout)
    expect(Object.keys(list)).toEqual(['data', 'meta'])
    expect(list.meta).toEqual({ total: 2, page: 1, per_page: 20, total_pages: 1 })
    expect((await run('monitors', 'delete', '1', '--yes', '-o', 'json')).stdout).toBe('null\n')
  })

  test('what nobody watches is unknown in the table, and as the API says it elsewhere', async () => {
    server.tables.monitors = [
      monitor({ watched: false }),
      monitor({ id: 2, name: 'Off', status: 'paused', watched: false }),
    ]
    expect((await run('monitors', 'list')).stdout).toMatch(/ 1 +unknown +Shop front[\s\S]* 2 +paused +Off/)
    const { data } = JSON.parse((await run('monitors', 'list', '-o', 'json')).stdout)
    expect(data[0]).toMatchObject({ status: 'online', watched: false })
  })

  test('-o yaml and -o name', async () => {
    expect(parse((await run('monitors', 'get', '1', '-o', 'yaml')).stdout)).toEqual(monitor())
    expect(await run('monitors', 'list', '-o', 'name')).toEqual({ code: 0, stdout: 'Shop front\nDb\n', stderr: '' })
  })

  test.each([
    ['tokens create --name ci', { id: 1, name: 'ci', token: 'wp_api_fresh' }],
    ['probes create --name p', { id: 1, name: 'p', token: 'wp_probe_fresh' }],
    ['channels create --name c --type webhook --url https://h.example/', { id: 1, name: 'c', secret: 'whsec_fresh' }],
  ])('%s -o json holds the secret, and nothing else is said', async (line, made) => {
    const { stdout, stderr } = await run(...line.split(' '), '-o', 'json')
    expect(JSON.parse(stdout)).toMatchObject(made)
    expect(stderr).toBe('')
  })

  test('as a table the secret is data, and the warning is not', async () => {
    const { stdout, stderr } = await run('tokens', 'create', '--name', 'ci')
    expect(stdout).toMatch(/^token: +wp_api_fresh$/m)
    expect(stderr).toBe('Token created.\nKeep the token now: this is the only time it is shown.\n')
    expect(await run('tokens', 'create', '--name', 'ci', '-o', 'name')).toMatchObject({ code: 2 })
  })

  test('a table fits the terminal, and a pipe gets it whole', async () => {
    server.tables.monitors = [monitor({ name: 'n'.repeat(60), target: `https://${'t'.repeat(60)}.example/` })]
    const onTerminal = await monitorctl(['monitors', 'list'], { server, terminal: 80, env: { NO_COLOR: '1' } })
    for (const line of onTerminal.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect((await run('monitors', 'list')).stdout).toContain(`https://${'t'.repeat(60)}.example/`)
  })

  test.each([
    ['a terminal', { terminal: 80 }, [], true],
    ['a pipe', {}, [], false],
    ['NO_COLOR', { terminal: 80, env: { NO_COLOR: '1' } }, [], false],
    ['a dumb terminal', { terminal: 80, env: { TERM: 'dumb' } }, [], false],
    ['--no-color', { terminal: 80 }, ['--no-color'], false],
  ])('colour on %s', async (_, world, flags, coloured) => {
    const { env, ...rest } = world as { env?: Record<string, string>; terminal?: number }
    const { stdout } = await monitorctl(['monitors', 'list', ...flags], { server, ...rest, env: { ...env } })
    expect(stdout.includes('\u001b[3')).toBe(coloured)
  })

  test.each(['table', 'json', 'yaml', 'name'])('a hostile name cannot drive the terminal with -o %s', async format => {
    const name = 'x\u001b]0;owned\u0007\u009b2J\u202e\ny'
    server.tables.monitors = [monitor({ name })]
    for (const argv of [
      ['monitors', 'list'],
      ['monitors', 'get', '1'],
    ]) {
      const { stdout } = await run(...argv, '-o', format)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
      if (format === 'yaml') expect(JSON.stringify(parse(stdout))).toContain(JSON.stringify(name))
    }
  })

  test('a probe is shown with its machine and its work, as far as it is known', async () => {
    const known = { region: 'eu', version: null, last_seen_at: null, created_at: '2026-11-21T09:30:00.000Z' }
    const host = { cpu_percent: 12.4, memory_percent: 37.5, disk_percent: null }
    const work = { monitors: 120, missed: 0, lag_ms: 2 }
    // The second is of a server from before heartbeats.
    server.tables.probes = [
      { id: 1, name: 'fra', ...known, host, work },
      { id: 2, name: 'ams', ...known },
    ]
    const { stdout } = await run('probes', 'list')
    expect(stdout).toMatch(/^ 1 +fra +eu .* 120 +0 +2 ms +12 % +38 % +-$/m)
    expect(stdout).toMatch(/^ 2 +ams +eu( +-){8}$/m)
    expect((await run('probes', 'get', '1')).stdout).toMatch(/^host\.memory_percent: +37\.5$/m)
  })

  test('no table is wider than a narrow terminal, and none is cut in a pipe', async () => {
    const at = '2026-11-21T09:30:00.000Z'
    Object.assign(server.tables, {
      incidents: [incident({ title: 'Checkout is slow for everybody' })],
      'maintenance-windows': [{ ...maintenance(), title: 'The database moves to a new machine' }],
      tokens: [
        {
          id: 4,
          name: 'deployment pipeline',
          role: 'member',
          scopes: ['status-pages:write'],
          created_at: at,
          last_used_at: at,
          expires_at: at,
        },
      ],
      probes: [{ id: 12, name: 'frankfurt-number-one', region: 'europe-west', version: '0.1.0', last_seen_at: at }],
      channels: [
        { id: 9, name: 'People who are awake', type: 'webhook', url: 'https://hooks.example/alerts', enabled: true },
      ],
    })
    const lines = [
      'monitors list',
      'monitors checks 1',
      'incidents list',
      'incidents get 1',
      'maintenance list',
      'tokens list',
      'probes list',
      'channels list',
    ]
    for (const line of lines) {
      const narrow = await monitorctl(line.split(' '), { server, terminal: 40, env: { NO_COLOR: '1' } })
      expect(narrow).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) })
      const table = narrow.stdout.split('\n').filter(text => !/^[a-z_.]+: /.test(text))
      expect({ line, wide: table.filter(text => textWidth(text) > 40) }).toEqual({ line, wide: [] })
      expect((await run(...line.split(' '))).stdout).not.toContain('…')
    }
  })

  test('an empty list says so on standard error', async () => {
    expect(await run('probes', 'list')).toEqual({ code: 0, stdout: '', stderr: 'No probes.\n' })
  })

  test('whoami is a sentence', async () => {
    const { stdout } = await run('whoami')
    expect(stdout).toBe(`admin of Acme (plan pro), scopes: status-pages:write, at ${server.url}\n`)
  })

  test('a public route needs no token', async () => {
    server.instead = (seen, response) =>
      json(response, 200, { slug: seen.path, auth: seen.headers.authorization ?? null })
    const answer = await monitorctl(['api', 'getStatus', '--param', 'slug=a/b'], { env: { WATCHPOST_URL: server.url } })
    expect(JSON.parse(answer.stdout)).toEqual({ slug: '/api/status/a%2Fb', auth: null })
  })
})

describe('a stream of events', () => {
  test('is copied as it comes, without an end of its own', async () => {
    const stop = new AbortController()
    server.instead = (seen, response) => {
      expect([seen.path, seen.query, seen.headers.accept]).toEqual(['/v1/events', { a: 'b' }, 'text/event-stream'])
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('id: 1\nevent: monitor.checked\n')
      setTimeout(() => response.write('data: {"monitor_id":7}\n\n'), 150)
      return true
    }
    const answer = await monitorctl(['api', 'streamEvents', '--query', 'a=b', '--request-timeout', '100ms'], {
      server,
      signal: stop.signal,
      onOutput: text => text.includes('\n\n') && stop.abort(130),
    })
    const stdout = 'id: 1\nevent: monitor.checked\ndata: {"monitor_id":7}\n\n'
    expect(answer).toEqual({ code: 130, stdout, stderr: '' })
  })

  test('that ends, or is refused, is an error', async () => {
    server.instead = (_, response) => Boolean(response.writeHead(200).end('id: 1\n\n'))
    expect(await run('api', 'streamEvents')).toEqual({
      code: 6,
      stdout: 'id: 1\n\n',
      stderr: `error: ${server.url} ended the stream\n`,
    })
    server.instead = (_, response) =>
      json(response, 401, { success: false, message: 'Unauthorized', code: 'unauthorized', status: 401, errors: {} })
    expect(await run('api', 'streamEvents')).toMatchObject({ code: 3, stdout: '' })
  })
})

test.each([
  ['api listMonitors', 'name'],
  ['api listMonitors', 'table'],
  ['export', 'table'],
  ['backtest -f x.yaml', 'name'],
])('%s has no form %s, and says so', async (line, form) => {
  expect(await run(...line.split(' '), '-o', form)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      new RegExp(`^error: --output: has no form ${form} here; it is one of .*json, yaml\\n$`),
    ),
  })
})

test('routes stand in columns', async () => {
  const { stdout } = await run('api', '--help')
  const paths = stdout.split('\n').flatMap(line => /^ {2}\w* +[A-Z]+ +(?=\/)/.exec(line)?.[0].length ?? [])
  expect(paths.length).toBeGreaterThan(60)
  expect(new Set(paths).size).toBe(1)
})

describe('errors end in one line and their exit code', () => {
  test.each([
    ['', 2, /^Usage: monitorctl/],
    ['monitors', 2, /^Usage: monitorctl monitors/],
    ['monitors lst', 2, /^error: unknown command 'lst' \(Did you mean list\?\)\n$/],
    ['montors list', 2, /^error: unknown command 'montors' \(Did you mean monitors\?\)\n$/],
    ['monitors list --statsu x', 2, /^error: unknown option '--statsu' \(Did you mean --status\?\)\n$/],
    ['monitors get', 2, /^error: missing required argument 'ID'\n$/],
    ['usage list', 2, /^error: APP_ID: must be a positive whole number, not "list"; "apps list" shows the ids\n$/],
    ['monitors get 1 2', 2, /^error: too many arguments.*\n$/],
    ['monitors get abc', 2, /^error: ID: must be a positive whole number, not "abc"; .*\n$/],
    ['monitors list --page x', 2, /^error: --page: must be a whole number, not "x"\n$/],
    ['monitors list --all --page 2', 2, /^error: option '--all' cannot be used with option '--page <number>'\n$/],
    ['monitors update 1', 2, /^error: nothing to change: give a field, such as --name, or -f FILE\n$/],
    ['monitors delete 1', 2, /^error: deleting needs --yes where nobody can be asked\n$/],
    ['monitors list -o xml', 2, /^error: --output: must be one of table, json, yaml, name, not "xml"\n$/],
    ['monitors list --request-timeout soon', 2, /^error: --request-timeout: must be a time.*\n$/],
    ['monitors create --name A --target a --type http --wait up', 2, /^error: --wait: must be one of online.*\n$/],
    ['monitors watch -o yaml', 2, /^error: --output: watch prints.*\n$/],
    ['api nothing', 2, /^error: ROUTE: there is no route "nothing".*\n$/],
    ['api toString', 2, /^error: ROUTE: there is no route "toString".*\n$/],
    ['api getMonitor', 2, /^error: --param: \/v1\/monitors\/\{id\} needs id=…\n$/],
    ['api getMonitor --param id=1 --param x=1', 2, /has no x\n$/],
    ['api createMonitor --body {', 2, /^error: --body: is not JSON.*\n$/],
    ['monitors get 99', 4, /^error: Not found \(monitors get 99\); "monitorctl monitors list" shows what there is\n$/],
    ['whoami --token wrong', 3, /^error: Invalid token; check the token \(--token.*\n$/],
  ])('%s', async (line, code, stderr) => {
    const ended = await run(...line.split(' ').filter(Boolean))
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(stderr)
  })

  test.each([
    [400, 'bad_request', 2],
    [401, 'unauthorized', 3],
    [403, 'forbidden', 3],
    [404, 'not_found', 4],
    [409, 'conflict', 1],
    [413, 'payload_too_large', 2],
    [422, 'validation_failed', 2],
    [429, 'quota_exceeded', 5],
    [500, 'internal_error', 6],
  ])('%d %s exits %s', async (status, code, exit) => {
    server.instead = (_, response) =>
      json(response, status, { success: false, message: 'No', code, status, errors: {} })
    expect(await run('monitors', 'get', '1')).toMatchObject({ code: exit, stdout: '' })
  })

  test('each field of a 422 has a line with the name of its flag', async () => {
    const errors = { interval: 'must be >= 10', 'options.keyword': 'must be string', 'evil\u001b': 'x\ny' }
    server.instead = (_, response) =>
      json(response, 422, { message: 'Validation failed', code: 'validation_failed', errors })
    expect(await run('monitors', 'update', '1', '--interval', '1')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: Validation failed\n  --interval: must be >= 10\n  --option keyword: must be string\n  evil\\e: x\\ny\n',
    })
  })

  test('a number where a text was meant is told how to be one', async () => {
    const errors = { 'options.expect': 'must be a string' }
    server.instead = (_, response) =>
      json(response, 422, { message: 'Validation failed', code: 'validation_failed', errors })
    const { stderr } = await run('monitors', 'update', '1', '--option', 'expect=220')
    expect(stderr).toContain(`  --option expect: must be a string; write --option 'expect="220"'\n`)
  })

  test('no answer, a page that is not ours and a wrong list are exit 6', async () => {
    const closed = await startServerDouble()
    await closed.close()
    const refused = await run('whoami', '--url', closed.url)
    expect(refused).toMatchObject({ code: 6, stderr: expect.stringContaining('connection refused') })
    server.instead = (_, response) => Boolean(response.end('<html>'))
    expect(await run('monitors', 'list')).toMatchObject({ code: 6 })
    server.instead = (_, response) => json(response, 200, { ok: true })
    expect(await run('monitors', 'list')).toMatchObject({ code: 6 })
    expect(await run('monitors', 'get', '1')).toMatchObject({ code: 6 })
    expect(await run('whoami')).toMatchObject({ code: 6, stderr: expect.stringContaining('not as a Watchpost server') })
  })

  test('no stack trace, unless it is asked for', async () => {
    expect((await run('monitors', 'get', '99')).stderr).not.toContain('    at ')
    const debug = await monitorctl(['monitors', 'get', '99'], { server, env: { WATCHPOST_DEBUG: '1' } })
    expect(debug.stderr).toContain('    at ')
  })

  test('without a server nothing is asked', async () => {
    const { code, stderr } = await monitorctl(['monitors', 'list'])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error: no server given: set --url and --token, or WATCHPOST_URL and WATCHPOST_TOKEN (or WATCHPOST_TOKEN_FILE); "monitorctl login" keeps them\n',
    })
  })
})

describe('patience', () => {
  /** Refuses the first requests with this, then answers. */
  const refuse = (times: number, status: number, headers: Record<string, string> = {}) => {
    server.instead = (_, response) =>
      server.seen.length <= times && json(response, status, { message: 'Busy', code: 'unavailable' }, headers)
  }

  test('a read outlives a busy server', async () => {
    refuse(2, 503)
    expect(await run('monitors', 'get', '1')).toMatchObject({ code: 0 })
    expect(server.seen).toHaveLength(3)
  })

  test('Retry-After is respected', async () => {
    refuse(1, 429, { 'retry-after': '1' })
    const start = performance.now()
    expect(await run('monitors', 'get', '1')).toMatchObject({ code: 0 })
    expect(performance.now() - start).toBeGreaterThan(990)
  })

  test('longer than the budget is not waited for', async () => {
    server.instead = (_, response) =>
      json(response, 429, { message: 'Too many requests', code: 'rate_limit_exceeded', retry_after: 120 })
    const start = performance.now()
    expect(await run('monitors', 'list', '--request-timeout', '5s')).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: Too many requests; try again in 2 min\n',
    })
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test('a create is sent again under its key, which the server heeds', async () => {
    const create = ['monitors', 'create', '--name', 'A', '--target', 'a:1', '--type', 'tcp']
    refuse(1, 503)
    expect(await run(...create)).toMatchObject({ code: 0 })
    const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
    server.instead = undefined
    await run(...create)
    expect(server.seen.at(-1)?.headers['idempotency-key']).not.toBe(keys[0])
  })

  test('a create lost on the way is sent again a few times', async () => {
    server.instead = (_, response) => Boolean(response.destroy())
    const create = ['monitors', 'create', '--name', 'A', '--target', 'a:1', '--type', 'tcp']
    expect(await run(...create)).toMatchObject({ code: 6 })
    expect(server.seen).toHaveLength(4)
  })

  test('--request-timeout bounds a server that says nothing', async () => {
    server.instead = () => true
    const start = performance.now()
    const { code, stderr } = await run('monitors', 'list', '--request-timeout', '300ms')
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: `error: Cannot reach ${server.url}: no answer within 300 ms (--request-timeout allows more)\n`,
    })
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe('--wait', () => {
  const create = [
    'monitors',
    'create',
    '--name',
    'A',
    '--target',
    'a:1',
    '--type',
    'tcp',
    '--wait',
    'online',
    '-o',
    'json',
  ]

  test('returns when the status is reached', async () => {
    server.instead = seen => {
      if (seen.method === 'GET') Object.assign(server.tables.monitors?.at(-1) ?? {}, { status: 'online' })
      return false
    }
    const { code, stdout } = await run(...create)
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 0, status: 'online' })
  })

  test('gives up with exit 1, and still says what was made', async () => {
    const { code, stdout, stderr } = await run(...create, '--wait-timeout', '600ms')
    expect({ code, stdout: JSON.parse(stdout) }).toMatchObject({ code: 1, stdout: { id: 3, status: 'pending' } })
    expect(stderr).toBe('error: monitor 3 is pending, not online, after 600 ms\n')
  })

  test('a server that goes away meanwhile is asked again', async () => {
    let asked = 0
    server.instead = (seen, response) => {
      if (seen.method !== 'GET') return false
      Object.assign(server.tables.monitors?.at(-1) ?? {}, { status: 'online' })
      asked++
      return asked === 1 && Boolean(response.destroy())
    }
    expect(await run(...create)).toMatchObject({ code: 0 })
  })
})

describe('help', () => {
  test.each([
    ['help monitors create', 'monitors create --help'],
    ['monitors help create', 'monitors create --help'],
    ['help monitors', 'monitors --help'],
    ['help team members list', 'team members list --help'],
    ['team help members', 'team members --help'],
    ['team members help list', 'team members list --help'],
    ['help apply', 'apply --help'],
    ['help monitors get 5 -o json', 'monitors get --help'],
    ['help', '--help'],
    ['help help', '--help'],
  ])('%s is %s', async (words, same) => {
    const { code, stdout, stderr } = await run(...words.split(' '))
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toBe((await run(...same.split(' '))).stdout)
  })

  test.each([
    ['help nosuch', "unknown command 'nosuch'"],
    ['help monitor', "unknown command 'monitor' (Did you mean monitors?)"],
    ['help monitors creat', "unknown command 'creat' (Did you mean create?)"],
    ['monitors help creat', "unknown command 'creat' (Did you mean create?)"],
    ['help team member list', "unknown command 'member' (Did you mean members?)"],
  ])('%s is an error', async (words, message) => {
    expect(await run(...words.split(' '))).toEqual({ code: 2, stdout: '', stderr: `error: ${message}\n` })
  })

  test('is no word of a verb', async () => {
    expect((await run('monitors', 'get', 'help')).stderr).toContain('must be')
    expect((await run('monitors', 'get', 'help', 'me')).stderr).toContain('too many arguments')
    expect((await run('whoami', 'help')).stdout).not.toContain('Usage')
    await run('incidents', 'create', '--title', 'help', '--monitor-id', '1')
    expect(last().body).toMatchObject({ title: 'help' })
  })

  test.each([
    ['--help', ['Nouns:', 'monitors', 'whoami', 'Examples:']],
    ['monitors --help', ['Verbs:', 'watch', 'checks']],
    [
      'monitors create --help',
      ['--no-ssl-verify|--ssl-verify', '--option <key=value>', '--wait <status>', 'Examples:'],
    ],
    ['api --help', ['listMonitors', 'PATCH  /v1/monitors/{id}', 'Examples:']],
  ])('%s', async (line, parts) => {
    const { code, stdout, stderr } = await run(...line.split(' '))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const part of parts) expect(part.split('|').some(each => stdout.includes(each))).toBe(true)
  })

  test('every command and every noun has examples', async () => {
    const paths = (command: Command): string[][] => {
      const inner = command.commands.filter(each => each.name() !== 'help')
      return [[], ...inner.flatMap(each => paths(each).map(path => [each.name(), ...path]))]
    }
    const all = paths(
      await wholeProgram({ env: {}, stdout: process.stdout, stderr: process.stderr, stdin: process.stdin }),
    )
    expect(all.length).toBeGreaterThan(90)
    for (const path of all) {
      const { code, stdout } = await run(...path, '--help')
      expect([code, path.join(' '), /^Examples:\n {2}monitorctl /m.test(stdout)]).toEqual([0, path.join(' '), true])
    }
  })

  test('every command has examples, and fits 80 columns', async () => {
    const nouns = [
      'monitors',
      'incidents',
      'maintenance',
      'status-pages',
      'channels',
      'apps',
      'probes',
      'tokens',
      'team',
      'audit',
    ]
    for (const noun of nouns) {
      const { stdout } = await run(noun, '--help')
      const verbs = [...(stdout.split('Verbs:')[1]?.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(
        match => match[1],
      )
      expect(verbs.length).toBeGreaterThan(0)
      for (const verb of verbs) {
        const help = await run(noun, String(verb), '--help')
        expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('Examples:\n  monitorctl ') })
        for (const line of help.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
      }
    }
    expect(server.seen).toEqual([])
  })

  test('--version', async () => {
    expect(await run('--version')).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  })
})
