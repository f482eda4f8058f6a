import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Resources } from '@watchpost/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { monitorctl } from '../testing/monitorctl.ts'
import { convertBlackbox } from './blackbox.ts'
import { convertGatus } from './gatus.ts'
import { convertKuma } from './kuma.ts'
import { writeKumaDatabase } from './testing/kuma-database.ts'

const fixture = (name: string) => new URL(`testing/${name}`, import.meta.url).pathname

interface Imported {
  resources: Required<Resources>
  notes: string[]
  monitor(name: string): unknown
}

async function imported(...words: string[]): Promise<Imported> {
  const { code, stdout, stderr } = await monitorctl(['import', ...words])
  expect(code, stderr).toBe(0)
  const resources = parse(stdout)
  return {
    resources,
    notes: stderr.trim().split('\n'),
    monitor: name => resources.monitors.find((each: { name: string }) => each.name === name),
  }
}

describe('a backup of Uptime Kuma', () => {
  let it: Imported
  beforeAll(async () => {
    it = await imported('--from', 'uptime-kuma', fixture('kuma-backup.json'))
  })

  test('becomes monitors that look at the same in the same way', () => {
    expect(it.resources.monitors.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'https Shop',
      'ssl Shop certificate',
      'https Basket',
      'http Old pages are gone',
      'https API',
      'https API (sum)',
      'tcp Database',
      'ping Router',
      'dns Zone',
      'https Shop (2)',
      'http Intranet',
      'https Keyword with OAuth',
    ])
    expect(it.monitor('Shop')).toEqual({
      name: 'Shop',
      type: 'https',
      target: 'https://shop.acme.example/',
      timeout: 48,
      options: { max_redirects: 10, confirmations: 3, retry_interval: 20, reminder_interval: 300 },
    })
    expect(it.monitor('Basket')).toMatchObject({
      interval: 20,
      timeout: 16,
      options: {
        keyword: 'Your basket',
        expected_status: ['200-299', 304],
        headers: { 'X-Api-Key': 'k-123' },
        follow_redirects: false,
        confirmations: 1,
      },
    })
    expect(it.monitor('Old pages are gone')).toMatchObject({
      ssl_verify: false,
      options: { keyword_absent: 'Index of /' },
    })
    expect(it.monitor('API')).toMatchObject({
      method: 'post',
      options: {
        auth: { type: 'basic', username: 'monitor', password: 'hunter2' },
        json: [{ path: '$.status', equals: 'ok' }],
        headers: { 'Content-Type': 'application/json' },
      },
    })
    expect(it.monitor('Router')).toMatchObject({ enabled: false, options: { size: 128 } })
    expect(it.monitor('Zone')).toMatchObject({ options: { record_type: 'MX', resolver: '1.1.1.1:53' } })
  })

  test('becomes channels, of the monitors that used them', () => {
    expect(it.resources.channels).toMatchObject([
      { name: 'Slack', type: 'slack', monitors: ['Shop', 'Shop certificate', 'Basket'] },
      { name: 'Telegram', type: 'telegram', chat_id: '-1001234567890', enabled: false },
      { name: 'Mail', type: 'email', to: ['ops@acme.example', 'boss@acme.example'] },
      { name: 'Hook', type: 'webhook', enabled: false },
      { name: 'Discord', type: 'discord', enabled: false },
    ])
  })

  test('and everything that has no counterpart is named', () => {
    for (const line of [
      'not mapped: monitor 2 "Shop": the tag "prod" has no counterpart',
      'not mapped: monitor 4 "Old pages are gone": the proxy has no counterpart',
      'not mapped: monitor 10 "Nightly job": type push has no counterpart; left out',
      'not mapped: monitor 11 "Container": type docker has no counterpart; left out',
      'not mapped: monitor 13 "Must be down": upside down (a failure is good) has no counterpart; left out',
      'not mapped: monitor 15 "Intranet": authentication by ntlm has no counterpart',
      'not mapped: notification 4 "ntfy": type ntfy has no counterpart; left out',
      'mind: monitor 14 "Shop": the method HEAD became GET',
      `mind: monitor "API": its password (options.auth) is in the output; write a \${VARIABLE} instead before you commit it`,
      `mind: monitor "Basket": its header X-Api-Key is in the output; write a \${VARIABLE} instead before you commit it`,
      `mind: channel "Slack": its address is in the output; write a \${VARIABLE} instead before you commit it`,
      `mind: channel "Telegram": its bot token is in the output; write a \${VARIABLE} instead before you commit it`,
      'not mapped: notification 3 "Mail": its mail server and sender are left out; the server has its own, WATCHPOST_SMTP_URL and WATCHPOST_MAIL_FROM',
      'mind: monitor 14 "Shop": an interval of 1209600 s became 86400 s',
    ]) {
      expect(it.notes).toContain(line)
    }
    expect(it.notes.at(-1)).toMatch(/^Converted 12 monitors, 5 channels, 0 status pages; \d+ remarks\.$/)
  })
})

describe('the database of Uptime Kuma', () => {
  let dir: string
  let it: Imported
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-kuma-'))
    writeKumaDatabase(join(dir, 'kuma.db'))
    it = await imported('--from', 'uptime-kuma', join(dir, 'kuma.db'))
  })
  afterAll(() => rmSync(dir, { recursive: true }))

  test('becomes monitors, channels, pages and maintenance', () => {
    expect(it.monitor('Shop')).toMatchObject({
      target: 'https://shop.acme.example/',
      options: { confirmations: 4, retry_interval: 30 },
    })
    expect(it.monitor('Shop certificate')).toMatchObject({ type: 'ssl', target: 'shop.acme.example', interval: 3600 })
    expect(it.monitor('Basket')).toMatchObject({
      interval: 30,
      options: { keyword: 'Your basket', expected_status: ['200-299', 401], ip_family: 4 },
    })
    expect(it.monitor('API')).toMatchObject({ method: 'post', options: { json: [{ path: '$.status', equals: 'ok' }] } })
    expect(it.monitor('Database')).toMatchObject({ type: 'tcp', target: '[2001:db8::5]:5432', interval: 20 })
    expect(it.monitor('Router')).toMatchObject({ type: 'ping', enabled: false })
    expect(it.resources.channels).toEqual([
      {
        name: 'Ops',
        type: 'discord',
        url: 'https://discord.com/api/webhooks/0/x',
        monitors: ['Shop', 'Shop certificate', 'Basket'],
      },
    ])
    expect(it.resources.status_pages).toEqual([
      {
        slug: 'acme',
        title: 'Acme status',
        description: 'How we are doing',
        monitors: [
          { monitor: 'Shop', group_name: 'Shop', order_index: 0 },
          { monitor: 'Basket', group_name: 'Shop', order_index: 1 },
          { monitor: 'Database', group_name: 'Behind it', order_index: 2 },
        ],
      },
    ])
    expect(it.resources.maintenance).toEqual([
      {
        name: 'New disks',
        monitors: ['Database'],
        starts_at: '2099-05-01T20:00:00.000Z',
        ends_at: '2099-05-01T21:00:00.000Z',
      },
    ])
  })

  test('and what has no counterpart is named', () => {
    expect(it.notes).toEqual(
      expect.arrayContaining([
        'not mapped: monitor 8 "Nightly": type push has no counterpart; left out',
        'not mapped: notification 2 "Phone": type pushover has no counterpart; left out',
        'not mapped: status page "acme": its CSS has no counterpart',
        'not mapped: status page "acme": monitor 8 was not converted, and is not on it',
        'not mapped: maintenance 2 "Every night": of kind cron: plan it with "maintenance create", times need a zone',
      ]),
    )
  })
})

describe('a configuration of Gatus', () => {
  let it: Imported
  beforeAll(async () => {
    it = await imported('--from', 'gatus', fixture('gatus.yaml'))
  })

  test('becomes monitors whose options are its conditions', () => {
    expect(it.monitor('front-end')).toEqual({
      name: 'front-end',
      type: 'https',
      target: 'https://acme.example/health',
      interval: 300,
      options: {
        expected_status: [200],
        json: [{ path: '$.status', equals: 'UP' }],
        max_response_time_ms: 150,
        max_redirects: 10,
        confirmations: 2,
      },
    })
    expect(it.monitor('front-end certificate')).toMatchObject({ type: 'ssl', options: { min_days_left: 2 } })
    expect(it.monitor('back-end')).toMatchObject({
      options: {
        headers: { Authorization: `Bearer \${API_TOKEN}` },
        expected_status: [200, 204],
        json: [
          { path: '$.items[0].name', contains: 'acme' },
          { path: '$.errors', exists: false },
        ],
        confirmations: 3,
      },
    })
    expect(it.monitor('graphql')).toMatchObject({ method: 'post', options: { body: expect.stringContaining('users') } })
    expect(it.monitor('internal front-end')).toMatchObject({
      type: 'http',
      ssl_verify: false,
      options: { keyword: '<h1>Welcome', follow_redirects: false, expected_status: ['100-299'] },
    })
    expect(it.monitor('dns')).toMatchObject({
      type: 'dns',
      target: 'acme.example',
      options: { resolver: '8.8.8.8:53', expected_answers: ['93.184.216.34'], expected_rcode: 'NOERROR' },
    })
    expect(it.monitor('redis')).toMatchObject({ type: 'tcp', target: 'redis.acme.example:6379', interval: 30 })
    expect(it.monitor('gateway')).toMatchObject({ type: 'ping', target: '192.0.2.1', interval: 10 })
    expect(it.monitor('mail certificate')).toMatchObject({ type: 'ssl', options: { min_days_left: 10 } })
    expect(it.monitor('switched off')).toMatchObject({
      enabled: false,
      options: { expected_status: ['100-499', '501-599'] },
    })
  })

  test('its groups become a page, its providers channels, its variables stay variables', () => {
    expect(it.resources.status_pages[0]?.monitors?.[0]).toEqual({ monitor: 'front-end', group_name: 'core' })
    const url = `\${SLACK_WEBHOOK_URL}`
    expect(it.resources.channels).toMatchObject([
      { type: 'slack', url, monitors: ['front-end', 'front-end certificate', 'back-end'] },
      { type: 'telegram', enabled: false },
      { type: 'email', to: ['ops@acme.example', 'boss@acme.example'] },
    ])
  })

  test('and what has no counterpart is named', () => {
    expect(it.notes).toEqual(
      expect.arrayContaining([
        'not mapped: endpoint "core/back-end": the condition len([BODY].items) > 0 has no counterpart',
        'not mapped: endpoint "internal/front-end": the condition [DOMAIN_EXPIRATION] > 720h has no counterpart',
        'not mapped: endpoint "internal/front-end": client.proxy-url has no counterpart',
        'not mapped: endpoint "gateway": the condition [RESPONSE_TIME] < 50 has no counterpart for ping',
        'not mapped: endpoint "shell": ssh has no counterpart; left out',
        'not mapped: external endpoint "nightly job": what is pushed has no counterpart; left out',
        'not mapped: alerting pagerduty: has no counterpart; left out',
        expect.stringMatching(/^not mapped: alerting email: its mail server and sender are left out; .*SMTP_URL/),
        'mind: endpoint "gateway": a timeout of 10 s became 9 s',
      ]),
    )
  })

  test('what is a variable already is no secret; what is not is named', async () => {
    expect(it.notes.filter(note => note.includes('is in the output'))).toEqual([])
    const text = JSON.stringify({
      endpoints: [
        { name: 'a', url: 'https://a.example', headers: { Authorization: 'Bearer s3cret', Accept: 'text/html' } },
        { name: 'b', url: `https://ada:\${PASS}@b.example/x@y`, headers: { Cookie: `sid=\${SID}` } },
        { name: 'c', url: 'http://ada:s3cr%40t@c.example' },
      ],
      alerting: {
        slack: { 'webhook-url': 'https://hooks.slack.example/s3cret' },
        telegram: { token: '1:s3cret', id: 1 },
      },
    })
    const { stdout, stderr } = await monitorctl(['import', '--from', 'gatus', '-'], { stdin: text })
    const advice = `is in the output; write a \${VARIABLE} instead before you commit it`
    expect(stderr.split('\n').filter(line => line.startsWith('mind:') && !line.includes('switched off'))).toEqual([
      'mind: endpoint "b": the user and password in its address became options.auth',
      'mind: endpoint "c": the user and password in its address became options.auth',
      `mind: monitor "a": its header Authorization ${advice}`,
      `mind: monitor "c": its password (options.auth) ${advice}`,
      `mind: channel "slack": its address ${advice}`,
      `mind: channel "telegram": its bot token ${advice}`,
    ])
    const [, b, c] = parse(stdout).monitors
    expect([b.target, b.options.auth]).toEqual([
      'https://b.example/x@y',
      { type: 'basic', username: 'ada', password: `\${PASS}` },
    ])
    expect([c.target, c.options.auth.password]).toEqual(['http://c.example', 's3cr@t'])
    expect(stderr).not.toMatch(/s3cret|s3cr@t/)
  })

  test('a dollar without braces names a variable, too', async () => {
    const text = 'endpoints: [{ name: a, url: "https://$HOST/$$x", conditions: ["[STATUS] == 200"] }]'
    const { stdout } = await monitorctl(['import', '--from', 'gatus', '-'], { stdin: text })
    expect(parse(stdout).monitors[0].target).toBe(`https://\${HOST}/$x`)
  })

  test.each([
    ['[STATUS] == any(200, 429)', { expected_status: [200, 429] }],
    ['[STATUS] >= 200', { expected_status: ['200-599'] }],
    ['[BODY] == UP', { body_regex: '^UP$', expected_status: ['100-599'] }],
    ['[BODY].a.b[1] == 3', { json: [{ path: '$.a.b[1]', equals: 3 }], expected_status: ['100-599'] }],
    ['has([BODY].a) == true', { json: [{ path: '$.a', exists: true }], expected_status: ['100-599'] }],
  ])('%s', (condition, options) => {
    const { monitors, notes } = convertGatus({
      endpoints: [{ name: 'a', url: 'https://a.example', conditions: [condition] }],
    })
    expect(monitors[0]?.options).toEqual({ ...options, max_redirects: 10 })
    expect(notes).toEqual([])
  })

  test.each([
    [['[STATUS] >= 200', '[STATUS] < 300'], { expected_status: ['200-299'] }],
    [['[STATUS] < 500', '[STATUS] != 404'], { expected_status: ['100-403', '405-499'] }],
    [['[STATUS] == any(200, 204, 404)', '[STATUS] < 400'], { expected_status: [200, 204] }],
    [['[STATUS] == 200', '[STATUS] == 200'], { expected_status: [200] }],
    [['[STATUS] == 200', '[RESPONSE_TIME] < 300', '[RESPONSE_TIME] < 500'], { max_response_time_ms: 300 }],
  ])('%j have all to hold', (conditions, options) => {
    const { monitors, notes } = convertGatus({ endpoints: [{ name: 'a', url: 'https://a.example', conditions }] })
    expect(monitors[0]?.options).toMatchObject(options)
    expect(notes).toEqual([])
  })

  test.each([
    ['https://a.example', '[STATUS] == 200', '[STATUS] == 404', { expected_status: [200] }],
    ['tcp://a.example:25', '[BODY] == pat(*220*)', '[BODY] == pat(*ready*)', { expect: '220' }],
    ['https://a.example', '[STATUS] == 200', '[RESPONSE_TIME] < soon', { expected_status: [200] }],
  ])('what cannot be said beside the others is named: %s %s, %s', (url, first, second, options) => {
    const { monitors, notes } = convertGatus({ endpoints: [{ name: 'a', url, conditions: [first, second] }] })
    expect(monitors[0]?.options).toMatchObject(options)
    expect(notes).toEqual([expect.stringContaining(`not mapped: endpoint "a": the condition ${second} `)])
  })

  test('of two conditions on a certificate the stricter holds', () => {
    const conditions = ['[CERTIFICATE_EXPIRATION] > 240h', '[CERTIFICATE_EXPIRATION] > 48h']
    const { monitors } = convertGatus({ endpoints: [{ name: 'a', url: 'https://a.example', conditions }] })
    expect(monitors[1]).toMatchObject({ type: 'ssl', options: { min_days_left: 10 } })
  })

  test.each(['[BODY].a > 3', '[IP] == 127.0.0.1', '[BODY].a == any(1, 2)', 'len([BODY]) == 3', 'nonsense'])(
    '%s has no counterpart',
    condition => {
      const { notes } = convertGatus({ endpoints: [{ name: 'a', url: 'https://a.example', conditions: [condition] }] })
      expect(notes).toEqual([`not mapped: endpoint "a": the condition ${condition} has no counterpart`])
    },
  )
})

describe('modules of a blackbox_exporter and the targets of Prometheus', () => {
  let it: Imported
  beforeAll(async () => {
    it = await imported('--from', 'blackbox', fixture('blackbox.yml'), '--targets', fixture('prometheus.yml'))
  })

  test('become a monitor for each target', () => {
    expect(it.monitor('https://acme.example')).toEqual({
      name: 'https://acme.example',
      type: 'https',
      target: 'https://acme.example',
      interval: 15,
      timeout: 5,
      options: { max_redirects: 10 },
    })
    expect(it.monitor('https://login.acme.example/session')).toMatchObject({
      method: 'post',
      ssl_verify: false,
      timeout: 9,
      options: {
        auth: { type: 'basic', username: 'monitor', password: 'mysecret' },
        expected_status: [200, 302],
        body_regex: 'Logged in as \\w+',
        keyword_absent: 'Could not connect to database',
        follow_redirects: false,
        ip_family: 4,
      },
    })
    expect(it.monitor('www.acme.example:8080')).toMatchObject({ type: 'http', target: 'http://www.acme.example:8080' })
    expect(it.monitor('mail.acme.example:25')).toMatchObject({ type: 'tcp', options: { expect: '220 ' } })
    expect(it.monitor('shell.acme.example:22')).toMatchObject({ type: 'tcp', options: { expect: 'SSH-2.0-' } })
    expect(it.monitor('pop.acme.example:995')).toMatchObject({ options: { tls: true, expect: '+OK' } })
    expect(it.monitor('192.0.2.1')).toMatchObject({ type: 'ping', interval: 15 })
    expect(it.monitor('192.0.2.53:5353')).toMatchObject({
      type: 'dns',
      target: 'acme.example',
      options: { record_type: 'SOA', resolver: '192.0.2.53:5353' },
    })
    expect(it.monitor('ns2.acme.example')).toMatchObject({ options: { transport: 'tcp' } })
  })

  test('and what has no counterpart is named', () => {
    expect(it.notes).toEqual(
      expect.arrayContaining([
        'not mapped: job "blackbox-login", https://login.acme.example/session: fail_if_header_matches has no counterpart',
        'not mapped: job "blackbox-login", https://login.acme.example/session: tls_config.ca_file has no counterpart',
        'not mapped: job "blackbox-mixed", grpc.acme.example:443: the prober grpc has no counterpart; left out',
        'not mapped: job "blackbox-mixed", https://gone.acme.example: there is no module "http_vanished"',
        'not mapped: job "blackbox-discovered": targets of kubernetes_sd_configs are not in the file; add them yourself',
        'not mapped: module "unused_http": no target uses it; left out',
      ]),
    )
  })
})

describe('what cannot be read', () => {
  test.each([
    [['--from', 'gatus', fixture('blackbox.yml')], 'has no endpoints'],
    [['--from', 'uptime-kuma', fixture('gatus.yaml')], 'is neither a backup (JSON) nor a database of Uptime Kuma'],
    [['--from', 'blackbox', fixture('blackbox.yml')], '--targets: is required for blackbox'],
    [['--from', 'nagios', fixture('gatus.yaml')], '--from: must be one of uptime-kuma, gatus, blackbox, not "nagios"'],
    [[fixture('gatus.yaml')], '--from: must be one of uptime-kuma, gatus, blackbox'],
    [['--from', 'gatus', '/nonexistent.yaml'], 'cannot read /nonexistent.yaml (ENOENT)'],
  ])('is said: %j', async (words, message) => {
    const { code, stdout, stderr } = await monitorctl(['import', ...words])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('what the server would refuse', () => {
  const kuma = (...monitorList: object[]) => JSON.stringify({ monitorList, notificationList: [] })

  test('is left out, and nothing names it', async () => {
    const id = { 7: true }
    const stdin = JSON.stringify({
      monitorList: [
        { id: 1, type: 'http', name: 'Shop', url: 'https://', expiryNotification: true, notificationIDList: id },
        { id: 2, type: 'ping', name: 'Router', hostname: '-f', notificationIDList: id },
        { id: 3, type: 'dns', name: 'Zone', hostname: 'acme.example', dns_resolve_type: 'PTR2' },
        { id: 4, type: 'http', name: 'Shop', url: 'https://shop.example/', notificationIDList: id },
        { id: 5, type: 'port', name: 'Database', hostname: 'db.example', port: 0 },
        { id: 8, type: 'http', name: 'FTP', url: 'ftp://ada:s3cret@a.example/' },
        { id: 6, type: 'ping', name: 'Gateway', hostname: '192.0.2.1' },
      ],
      notificationList: [{ id: 7, name: 'Hook', config: '{"type":"webhook","webhookURL":"https://hooks.example/"}' }],
    })
    const { code, stdout, stderr } = await monitorctl(['import', '--from', 'uptime-kuma', '-'], { stdin })
    const { monitors, channels } = parse(stdout)
    expect(code).toBe(0)
    expect(monitors.map(({ name }: { name: string }) => name)).toEqual(['Shop', 'Gateway'])
    expect(channels[0].monitors).toEqual(['Shop'])
    expect(stderr).toContain('not mapped: monitor 1 "Shop": its target "https://" must be a URL that starts with')
    expect(stderr).toContain('not mapped: monitor 2 "Router": its target "-f" must not start with "-"; left out\n')
    expect(stderr).toMatch(/not mapped: monitor 3 "Zone": its options\.record_type "PTR2" must be one of .*; left out/)
    expect(stderr).toContain('not mapped: monitor 8 "FTP": its target "***@a.example/" must be a URL')
    expect(stderr).toContain('not mapped: monitor 5 "Database": its target "db.example:0" must have a port')
  })

  test('of a monitor is an option alone, if it looks at the same without it', async () => {
    const stdin = kuma({ id: 1, type: 'ping', name: 'Router', hostname: '192.0.2.1', packetSize: 1e6 })
    const { stdout, stderr } = await monitorctl(['import', '--from', 'uptime-kuma', '-'], { stdin })
    expect(parse(stdout).monitors).toEqual([
      { name: 'Router', type: 'ping', target: '192.0.2.1', timeout: 48, options: { confirmations: 1 } },
    ])
    expect(stderr).toMatch(
      /not mapped: monitor 1 "Router": its options\.size 1000000 must be .*; the option is left out/,
    )
  })

  test('is not known of what variables will say', async () => {
    const endpoints = [
      { name: 'a', url: '$URL' },
      { name: 'b', url: 'https://$HOST/' },
      { name: 'c', url: '$DNS', dns: { 'query-name': 'c.example', 'query-type': 'A' } },
      { name: 'd', url: 'icmp://-f' },
      { name: 'e', url: 'https://e.example', body: '$BODY', conditions: ['[BODY] == pat($A*)'] },
    ]
    const { stdout, stderr } = await monitorctl(['import', '--from', 'gatus', '-'], {
      stdin: JSON.stringify({ endpoints }),
    })
    expect(parse(stdout).monitors.map(({ name }: { name: string }) => name)).toEqual(['b', 'c', 'e'])
    expect(stderr).toContain('not mapped: endpoint "d": its target "-f" must not start with "-"; left out')
  })

  test('is told of blackbox, too, and a password in it to nobody', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'watchpost-blackbox-'))
    writeFileSync(join(dir, 'b.yml'), 'modules: { http_2xx: { prober: http } }')
    writeFileSync(
      join(dir, 'p.yml'),
      'scrape_configs: [{ job_name: j, metrics_path: /probe, static_configs: [{ targets: ["https://u:s3cret@a b/"] }] }]',
    )
    const words = ['import', '--from', 'blackbox', join(dir, 'b.yml'), '--targets', join(dir, 'p.yml')]
    const { stdout, stderr } = await monitorctl(words)
    rmSync(dir, { recursive: true })
    expect(stdout).toBe('{}\n')
    expect(stderr).toContain('its target "https://a b/" must not contain spaces')
    expect(stderr).not.toContain('s3cret')
  })
})

describe('a database that is not whole', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'watchpost-kuma-'))
    writeKumaDatabase(join(dir, 'kuma.db'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  const refused = async (bytes: Buffer, message: RegExp) => {
    writeFileSync(join(dir, 'trunc.db'), bytes)
    const { code, stdout, stderr } = await monitorctl(['import', '--from', 'uptime-kuma', join(dir, 'trunc.db')])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  }

  test.each([16, 99, 4096, 20_000, -4096, -100, -1])('is refused: cut after %i bytes', async length => {
    await refused(readFileSync(join(dir, 'kuma.db')).subarray(0, length), /trunc\.db: cannot be read as a database: /)
  })

  test('is refused: without the file beside it that all of it is in still', async () => {
    const path = join(dir, 'wal.db')
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; create table monitor (id integer primary key, name text, type text)')
    const bytes = readFileSync(path)
    const { code } = await monitorctl(['import', '--from', 'uptime-kuma', path])
    database.close()
    expect(code).toBe(0)
    await refused(bytes, /it holds no monitors' table; .*-wal/)
  })
})

test.each([
  [
    'uptime-kuma',
    {
      monitorList: [{ id: 1, type: 'http', name: 'a', url: 'https://u:s3cret@a.example/', interval: 20, timeout: 48 }],
    },
  ],
])('%s: a password in an address, and a timeout that does not fit', async (from, held) => {
  const { stdout, stderr } = await monitorctl(['import', '--from', from, '-'], { stdin: JSON.stringify(held) })
  const auth = { type: 'basic', username: 'u', password: 's3cret' }
  expect(parse(stdout).monitors).toMatchObject([{ target: 'https://a.example/', timeout: 19, options: { auth } }])
  expect(stderr).toContain('mind: monitor 1 "a": a timeout of 48 s became 19 s')
})

test('blackbox: a password in an address is in no name and no remark', () => {
  const { monitors, notes } = convertBlackbox(
    { modules: { http_2xx: { prober: 'http', http: { compression: 'gzip' } } } },
    {
      scrape_configs: [
        { job_name: 'j', metrics_path: '/probe', static_configs: [{ targets: ['http://u:s3cret@a.example'] }] },
      ],
    },
  )
  const auth = { type: 'basic', username: 'u', password: 's3cret' }
  expect(monitors).toMatchObject([{ name: 'http://a.example', target: 'http://a.example', options: { auth } }])
  expect(notes.join()).toContain('compression')
  expect(notes.join()).not.toContain('s3cret')
})

test.each([
  ['Europe/Berlin', 'Asia/Tokyo', '2099-07-01 22:00:00', '2099-07-01T20:00:00.000Z', false],
  ['Europe/Berlin', undefined, '2099-01-01 22:00', '2099-01-01T21:00:00.000Z', false],
  // The hours beside the one that is left out, and beside the one that comes twice.
  ['Europe/Berlin', undefined, '2099-03-29 01:30:00', '2099-03-29T00:30:00.000Z', false],
  ['Europe/Berlin', undefined, '2099-03-29 03:30:00', '2099-03-29T01:30:00.000Z', false],
  ['Europe/Berlin', undefined, '2099-10-25 03:30:00', '2099-10-25T02:30:00.000Z', false],
  ['UTC', undefined, '2099-07-01 22:00:00', '2099-07-01T22:00:00.000Z', false],
  ['SAME_AS_SERVER', 'Asia/Tokyo', '2099-07-01 22:00:00', '2099-07-01T13:00:00.000Z', false],
  [null, undefined, '2099-07-01 22:00:00', '2099-07-01T22:00:00.000Z', true],
  ['Mars/Olympus', undefined, '2099-07-01 22:00:00', '2099-07-01T22:00:00.000Z', true],
])('maintenance in the zone %s (server: %s) at %s', (timezone, serverTimezone, start_date, starts_at, isAsked) => {
  const window = { id: 1, title: 'W', strategy: 'single', timezone, start_date, monitorList: [{ id: 1 }] }
  const { maintenance, notes } = convertKuma({
    monitorList: [{ id: 1, type: 'ping', name: 'a', hostname: 'a.example' }],
    notificationList: [],
    maintenanceList: [{ ...window, end_date: '2099-12-31 00:00:00' }],
    serverTimezone,
  })
  expect(maintenance[0]).toMatchObject({ starts_at })
  expect(notes.some(note => note.includes('taken as UTC'))).toBe(isAsked)
})

test('who does not judge certificates is told only when they end', () => {
  const kuma = { type: 'http', name: 'a', url: 'https://a.example:8443/', expiryNotification: true }
  const conditions = ['[STATUS] == 200', '[CERTIFICATE_EXPIRATION] > 48h']
  const client = { insecure: true }
  for (const { monitors } of [
    convertKuma({ monitorList: [{ id: 1, ...kuma, ignoreTls: true }], notificationList: [] }),
    convertGatus({ endpoints: [{ name: 'a', url: 'https://a.example:8443/', client, conditions }] }),
    convertGatus({ endpoints: [{ name: 'a certificate', url: 'tls://a.example:8443', client, conditions }] }),
  ]) {
    expect(monitors.at(-1)).toMatchObject({ type: 'ssl', target: 'a.example:8443', ssl_verify: false })
  }
  const { monitors } = convertKuma({ monitorList: [{ id: 1, ...kuma }], notificationList: [] })
  expect(monitors[1]).not.toHaveProperty('ssl_verify')
})

test('a password in a backup is nowhere but in the output', async () => {
  const backup = readFileSync(fixture('kuma-backup.json'), 'utf8')
  const { stdout, stderr } = await monitorctl(['import', '--from', 'uptime-kuma', '-'], { stdin: backup })
  expect(stdout).toContain('hunter2')
  expect(stderr).not.toContain('hunter2')
})
