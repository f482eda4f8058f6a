import { createSocket } from 'node:dgram'
import system from 'node:dns'
import { once } from 'node:events'
import dnsPacket, { type Answer } from 'dns-packet'
import { describe, expect, onTestFinished, test } from 'vitest'
import { dnsServer, rcode } from './testing/dns-server.ts'
import { run, soon } from './testing/run.ts'
import { closedPort, tcpServer } from './testing/servers.ts'

const name = 'example.test'
const a = (data: string): Answer => ({ type: 'A', name, ttl: 60, data })

describe('an answer', () => {
  test('is online, with what was said', async () => {
    const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1'), a('192.0.2.2')] }))
    const outcome = await run('dns', name, { resolver })
    expect(outcome).toMatchObject({
      status: 'online',
      error_kind: null,
      details: { resolver, record_type: 'A', rcode: 'NOERROR', answers: ['192.0.2.1', '192.0.2.2'] },
    })
    expect(outcome.response_time_ms).toBeGreaterThan(0)
    expect(outcome.timings).toHaveProperty('resolve_ms')
  })

  const records: [string, Answer, string, string[]][] = [
    ['A', a('192.0.2.1'), '192.0.2.1', ['192.0.2.1']],
    ['AAAA', { type: 'AAAA', name, data: '2001:db8::1' }, '2001:db8::1', ['2001:0DB8:0::1']],
    ['CNAME', { type: 'CNAME', name, data: 'Other.example.test' }, 'Other.example.test', ['other.example.test.']],
    ['NS', { type: 'NS', name, data: 'ns1.example.test' }, 'ns1.example.test', ['NS1.EXAMPLE.TEST']],
    ['PTR', { type: 'PTR', name, data: 'host.example.test' }, 'host.example.test', ['host.example.test']],
    [
      'MX',
      { type: 'MX', name, data: { preference: 10, exchange: 'mail.example.test' } },
      '10 mail.example.test',
      ['10 mail.example.test.', 'mail.example.test'],
    ],
    [
      'SRV',
      { type: 'SRV', name, data: { priority: 1, weight: 2, port: 443, target: 'a.example.test' } },
      '1 2 443 a.example.test',
      ['1 2 443 a.example.test', 'a.example.test'],
    ],
    ['TXT', { type: 'TXT', name, data: ['v=spf1 ', '-all'] }, 'v=spf1 -all', ['"v=spf1 -all"']],
    [
      'CAA',
      { type: 'CAA', name, data: { flags: 0, tag: 'issue', value: 'ca.example' } },
      '0 issue "ca.example"',
      ['0 issue "ca.example"', 'ca.example'],
    ],
    [
      'SOA',
      {
        type: 'SOA',
        name,
        data: {
          mname: 'ns.example.test',
          rname: 'me.example.test',
          serial: 1,
          refresh: 2,
          retry: 3,
          expire: 4,
          minimum: 5,
        },
      },
      'ns.example.test me.example.test 1 2 3 4 5',
      ['ns.example.test. me.example.test. 1 2 3 4 5'],
    ],
  ]
  test.each(records)('of type %s is written as in a zone file', async (type, answer, text, expected_answers) => {
    const resolver = await dnsServer(question => (question.type === type ? { answers: [answer] } : rcode('REFUSED')))
    const outcome = await run('dns', name, { resolver, record_type: type, expected_answers })
    expect(outcome).toMatchObject({ status: 'online', details: { answers: [text] } })
  })

  test('over TCP counts as well', async () => {
    const resolver = await dnsServer((_, transport) => (transport === 'tcp' ? { answers: [a('192.0.2.1')] } : null))
    const outcome = await run('dns', name, { resolver, transport: 'tcp' })
    expect(outcome).toMatchObject({ status: 'online' })
    expect(outcome.timings).toHaveProperty('connect_ms')
  })

  test('cut short over UDP is asked for again over TCP', async () => {
    const resolver = await dnsServer((_, transport) =>
      transport === 'tcp' ? { answers: [a('192.0.2.1')] } : { flags: dnsPacket.TRUNCATED_RESPONSE },
    )
    const outcome = await run('dns', name, { resolver })
    expect(outcome).toMatchObject({ status: 'online', details: { truncated: true, answers: ['192.0.2.1'] } })
  })

  test('may come to the second question, when the first was lost', async () => {
    const resolver = await dnsServer((_, __, attempt) => (attempt > 1 ? { answers: [a('192.0.2.1')] } : null))
    expect(await run('dns', name, { resolver })).toMatchObject({ status: 'online' })
  })

  test('is asked for in reverse for an address', async () => {
    const asked: string[] = []
    const resolver = await dnsServer(question => {
      asked.push(`${question.type} ${question.name}`)
      return { answers: [{ type: 'PTR', name: question.name, data: 'host.example.test' }] }
    })
    expect(await run('dns', '192.0.2.7', { resolver })).toMatchObject({ status: 'online' })
    expect(await run('dns', '2001:db8::1', { resolver })).toMatchObject({ status: 'online' })
    expect(asked).toEqual([
      'PTR 7.2.0.192.in-addr.arpa',
      'PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    ])
  })

  test('that is expected to be none is good', async () => {
    const resolver = await dnsServer(() => rcode('NXDOMAIN'))
    const outcome = await run('dns', name, { resolver, expected_rcode: 'NXDOMAIN' })
    expect(outcome).toMatchObject({ status: 'online', details: { rcode: 'NXDOMAIN' } })
  })
})

describe('a target that fails', () => {
  test.each([
    ['NXDOMAIN', 'dns_nxdomain'],
    ['SERVFAIL', 'dns_servfail'],
    ['REFUSED', 'dns_refused'],
    ['FORMERR', 'dns_rcode'],
    ['NOTIMP', 'dns_rcode'],
  ] as const)('with %s is %s', async (code, kind) => {
    const resolver = await dnsServer(() => rcode(code))
    expect(await run('dns', name, { resolver })).toMatchObject({
      status: 'offline',
      error_kind: kind,
      error_message: `The answer for ${name} was ${code}, not NOERROR.`,
    })
  })

  test('by existing where it should not', async () => {
    const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1')] }))
    const outcome = await run('dns', name, { resolver, expected_rcode: 'NXDOMAIN' })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'dns_rcode' })
  })

  test.each([
    ['A', 'dns_no_address'],
    ['AAAA', 'dns_no_address'],
    ['MX', 'dns_answer'],
  ])('without a record of type %s is %s', async (record_type, kind) => {
    const resolver = await dnsServer(() => ({ answers: [{ type: 'CNAME', name, data: 'other.test' }] }))
    expect(await run('dns', name, { resolver, record_type })).toMatchObject({ status: 'offline', error_kind: kind })
  })

  test('without an answer that is expected', async () => {
    const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1')] }))
    const outcome = await run('dns', name, { resolver, expected_answers: ['192.0.2.1', '192.0.2.9'] })
    expect(outcome).toMatchObject({
      status: 'offline',
      error_kind: 'dns_answer',
      error_message: 'The A records of example.test lack 192.0.2.9.',
    })
  })

  test('when the named resolver is silent', async () => {
    const resolver = await dnsServer(() => null)
    const outcome = await run('dns', name, { resolver }, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'dns_timeout', response_time_ms: null })
  })

  test.each(['udp', 'tcp'])('when the named resolver is not there (%s)', async transport => {
    const resolver = await closedPort()
    const outcome = await run('dns', name, { resolver, transport })
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'connect_refused' })
  })

  test('when the named resolver talks nonsense over TCP', async () => {
    const resolver = await tcpServer(socket => socket.on('data', () => socket.write('\0\u0005hello')))
    expect(await run('dns', name, { resolver, transport: 'tcp' })).toMatchObject({ error_kind: 'dns_answer' })
  })

  test('when the named resolver may not be asked', async () => {
    const resolver = await dnsServer(() => null)
    const denied = await run('dns', name, { resolver }, { policy: { private: 'deny' } })
    expect(denied).toMatchObject({ error_kind: 'address_refused' })
    expect(await run('dns', name, { resolver: '169.254.169.254' })).toMatchObject({ error_kind: 'address_refused' })
  })
})

describe('a forged or broken answer is waited past', () => {
  const response = (id: number, asked: string) =>
    dnsPacket.encode({ type: 'response', id, questions: [{ type: 'A', name: asked }], answers: [a('192.0.2.66')] })

  test.each([
    ['garbage', () => Buffer.from('garbage')],
    ['another id', (id: number) => response(id ^ 1, name)],
    ['another question', (id: number) => response(id, 'evil.test')],
  ])('%s', async (_, forge) => {
    const resolver = await dnsServer((_, __, attempt, id) =>
      attempt === 1 ? forge(id) : { answers: [a('192.0.2.1')] },
    )
    const outcome = await run('dns', name, { resolver })
    expect(outcome).toMatchObject({ status: 'online', details: { answers: ['192.0.2.1'] } })
  })
})

describe('an answer that never was one', () => {
  const question = Buffer.from('\x07example\x04test\0\0\x01\0\x01', 'latin1')
  /** A message of this id with one answer whose bytes are given. */
  const raw = (id: number, answer: string) =>
    Buffer.concat([
      Buffer.from([id >> 8, id & 255, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]),
      question,
      Buffer.from(answer, 'latin1'),
    ])

  test.each<[string, (id: number) => Buffer, string]>([
    ['that is cut off', id => raw(id, '\xc0\x0c\0\x01'), 'dns_answer'],
    ['whose name points to itself', id => raw(id, '\xc0\x1e\0\x01\0\x01\0\0\0\0\0\x04\x7f\0\0\x01'), 'dns_answer'],
    ['whose name points ahead', id => raw(id, '\xc0\xff\0\x01\0\x01\0\0\0\0\0\x04\x7f\0\0\x01'), 'dns_answer'],
    ['whose data is longer than it', id => raw(id, '\xc0\x0c\0\x01\0\x01\0\0\0\0\0\xff\x7f'), 'dns_answer'],
    ['of two bytes', id => Buffer.from([id >> 8, id & 255]), 'dns_answer'],
    ['of an address too short', id => raw(id, '\xc0\x0c\0\x01\0\x01\0\0\0\0\0\x02\x7f\0'), 'dns_answer'],
    ['with another id', id => raw(id ^ 1, ''), 'dns_timeout'],
  ])('%s is %s', async (_, answer, kind) => {
    const resolver = await dnsServer((_, __, ___, id) => answer(id))
    expect(await run('dns', name, { resolver }, soon)).toMatchObject({ status: 'offline', error_kind: kind })
    const overTcp = await run('dns', name, { resolver, transport: 'tcp' }, soon)
    expect(overTcp).toMatchObject({ status: 'offline', error_kind: 'dns_answer' })
  })

  test('to another question is no silence', async () => {
    const questions = [{ type: 'A' as const, name: 'evil.test' }]
    const resolver = await dnsServer(() => ({ questions, answers: [a('192.0.2.66')] }))
    const outcome = await run('dns', name, { resolver }, soon)
    expect(outcome).toMatchObject({ status: 'offline', error_kind: 'dns_answer' })
    expect(outcome.error_message).toMatch(/sent an answer to another question\.$/)
  })
})

describe('a shared socket', () => {
  test('answers each question with its own answer', async () => {
    const resolver = await dnsServer(({ name }) => ({
      answers: [{ type: 'TXT', name, data: name }],
    }))
    const names = Array.from({ length: 200 }, (_, number) => `n${number}.example.test`)
    const outcomes = await Promise.all(names.map(it => run('dns', it, { resolver, record_type: 'TXT' })))
    expect(outcomes.map(it => it.details.answers)).toEqual(names.map(it => [it]))
  })

  test('is given up for another port after a while', async () => {
    const ports = new Set<number>()
    const server = createSocket('udp4').bind(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    server.on('message', (query, from) => {
      ports.add(from.port)
      const { id = 0, questions = [] } = dnsPacket.decode(query)
      const answer = dnsPacket.encode({ type: 'response', id, questions, answers: [a('192.0.2.1')] })
      server.send(answer, from.port, from.address)
    })
    const resolver = `127.0.0.1:${server.address().port}`
    for (let count = 0; count < 150; count++) await run('dns', name, { resolver })
    expect(ports.size).toBe(3)
  })

  test('to a closed port refuses every question of many', async () => {
    const resolver = await closedPort()
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => run('dns', name, { resolver })))
    expect(new Set(outcomes.map(it => it.error_kind))).toEqual(new Set(['connect_refused']))
  })

  test('holds an error against nobody who did not ask alone', async () => {
    const before = createSocket('udp4').bind(0, '127.0.0.1')
    await once(before, 'listening')
    const { port } = before.address()
    const after = createSocket('udp4')
    onTestFinished(() => void after.close())
    after.on('message', (query, from) => {
      const { id = 0, questions = [] } = dnsPacket.decode(query)
      after.send(dnsPacket.encode({ type: 'response', id, questions, answers: [a('192.0.2.1')] }), from.port)
    })
    const ask = () => run('dns', name, { resolver: `127.0.0.1:${port}` })
    // The second question finds the port closed for a moment, and the first waits at the same socket.
    const second = new Promise((resolve, reject) =>
      before.once('message', () => {
        before.close()
        ask().then(resolve, reject)
        setImmediate(() => after.bind(port, '127.0.0.1'))
      }),
    )
    expect(await Promise.all([ask(), second])).toMatchObject([{ status: 'online' }, { status: 'online' }])
  })

  test('works again as soon as the resolver does', async () => {
    const resolver = await closedPort()
    const port = Number(resolver.split(':')[1])
    const refused = [run('dns', name, { resolver }), run('dns', name, { resolver })]
    await Promise.all(refused)
    await dnsServer(() => ({ answers: [a('192.0.2.1')] }), '127.0.0.1', port)
    expect(await run('dns', name, { resolver })).toMatchObject({ status: 'online' })
  })
})

test('a resolver with an IPv6 address is asked, too', async () => {
  const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1')] }), '::1')
  expect(resolver).toMatch(/^\[::1\]:/)
  for (const transport of ['udp', 'tcp']) {
    expect(await run('dns', name, { resolver, transport })).toMatchObject({ status: 'online', details: { resolver } })
  }
})

test('aliases before the answer, and what EDNS adds, do not matter', async () => {
  const resolver = await dnsServer(() => ({
    answers: [
      { type: 'CNAME', name, data: 'Other.test' },
      { ...a('192.0.2.1'), name: 'other.test' },
    ],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 1232,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ],
  }))
  const outcome = await run('dns', name, { resolver, expected_answers: ['192.0.2.1'] })
  expect(outcome).toMatchObject({ status: 'online', details: { answers: ['192.0.2.1'] } })
})

describe("the probe's own resolvers", () => {
  const use = (servers: string[]) => {
    const before = system.getServers()
    system.setServers(servers)
    onTestFinished(() => system.setServers(before))
  }

  test('are asked when none is named', async () => {
    const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1')] }))
    use([resolver])
    expect(await run('dns', name, {}, { policy: { private: 'deny' } })).toMatchObject({
      status: 'online',
      details: { resolver },
    })
  })

  test('are tried in turn', async () => {
    const silent = await dnsServer(() => null)
    const resolver = await dnsServer(() => ({ answers: [a('192.0.2.1')] }))
    use([silent, await closedPort(), resolver])
    expect(await run('dns', name)).toMatchObject({ status: 'online', details: { resolver } })
  })

  test("being silent is the probe's trouble, not the target's", async () => {
    use([await dnsServer(() => null)])
    expect(await run('dns', name, {}, soon)).toMatchObject({ status: 'error', error_kind: 'probe_resolver' })
  })

  test.each([
    ['SERVFAIL', 'dns_servfail'],
    ['REFUSED', 'dns_refused'],
    ['NXDOMAIN', 'dns_nxdomain'],
    ['NOERROR', 'dns_no_address'],
  ] as const)('say why a host of another check has no address: %s', async (code, kind) => {
    use([await dnsServer(() => rcode(code))])
    const outcome = await run('tcp', 'watchpost-nowhere.invalid:80')
    expect(outcome).toMatchObject({ status: 'offline', error_kind: kind })
  })
})
