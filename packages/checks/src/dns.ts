import { isIPv4 } from 'node:net'
import type { ErrorKind } from '@watchpost/contract'
import Type, { type Static } from 'typebox'
import type { CheckType } from './check-type.ts'
import { answersFor, isAmong, written } from './dns-answer.ts'
import { ask, type Query, type Resolver, type Response } from './dns-client.ts'
import { askSystem } from './dns-system.ts'
import { Failure } from './failure.ts'
import { type Look, look } from './look.ts'
import { at, resolve } from './resolve.ts'
import { parseHost, parseHostPort, targetMessage } from './target.ts'

const recordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'] as const
const responseCodes = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const

const Options = Type.Object({
  record_type: Type.Optional(
    Type.Enum([...recordTypes], { type: 'string', default: 'A', description: 'For an address as target: PTR.' }),
  ),
  resolver: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'Resolver to ask, with or without a port; those of the probe if absent.',
      examples: ['127.0.0.1:5353'],
    }),
  ),
  transport: Type.Optional(Type.Enum(['udp', 'tcp'], { type: 'string', default: 'udp' })),
  expected_answers: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      maxItems: 100,
      description: 'Answers that must all be given; others may be given too.',
      examples: [['192.0.2.1'], ['10 mail.example.com']],
    }),
  ),
  expected_rcode: Type.Optional(
    Type.Enum([...responseCodes], { type: 'string', default: 'NOERROR', description: 'Response code to expect.' }),
  ),
})
type Options = Static<typeof Options>

/** Asks a resolver for the records of a name; an address as target is asked for in reverse. */
export const dns: CheckType = {
  options: Options,
  judgeOptions: options => {
    const { resolver } = options as Options
    return { resolver: resolver === undefined ? null : targetMessage(() => parseHostPort(resolver, 53)) }
  },
  parseTarget: target => void parseHost(target),
  run: (check, signal, policy) =>
    look(check, signal, policy, async seen => {
      const options = check.options as Options
      const query = queryOf(check.target, options)
      const transport = options.transport ?? 'udp'
      const response = options.resolver
        ? await ask(seen, await resolverOf(seen, options.resolver), query, transport)
        : await askOwnResolvers(seen, query, transport)
      seen.watch.answered()
      judge(seen, response, query, options)
    }),
}

function queryOf(target: string, options: Options): Query {
  const { host, isAddress } = parseHost(target)
  if (!isAddress) return { name: host, type: options.record_type ?? 'A' }
  return { name: reverseName(host), type: options.record_type ?? 'PTR' }
}

/** The name under which the PTR record of an address lies (RFC 1035 3.5, RFC 3596 2.5). */
function reverseName(ip: string): string {
  if (isIPv4(ip)) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`
  const groups = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const [head = [], tail = []] = groups.map(part => part.split(':').filter(it => it !== ''))
  const all = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return `${[...all.map(group => group.padStart(4, '0')).join('')].reverse().join('.')}.ip6.arpa`
}

async function resolverOf(seen: Look, resolver: string): Promise<Resolver> {
  const { host, port } = parseHostPort(resolver, 53)
  const ip = await resolve(seen, host)
  seen.details.resolver = at(ip, port)
  return { ip, port }
}

async function askOwnResolvers(seen: Look, query: Query, transport: 'udp' | 'tcp'): Promise<Response> {
  const { response, resolver } = await askSystem(seen, query, transport)
  seen.details.resolver = at(resolver.ip, resolver.port)
  return response
}

const kindsOfCodes: Record<string, ErrorKind> = {
  NXDOMAIN: 'dns_nxdomain',
  SERVFAIL: 'dns_servfail',
  REFUSED: 'dns_refused',
}

function judge(seen: Look, response: Response, query: Query, options: Options): void {
  const { name, type } = query
  const expected = options.expected_rcode ?? 'NOERROR'
  const answers = answersFor(name, type, response.answers ?? []).map(written)
  Object.assign(seen.details, { record_type: type, rcode: response.rcode, answers, authoritative: response.flag_aa })

  if (response.rcode !== expected) {
    const kind = kindsOfCodes[response.rcode] ?? 'dns_rcode'
    throw new Failure(kind, `The answer for ${name} was ${response.rcode}, not ${expected}.`)
  }
  const missing = (options.expected_answers ?? []).filter(it => !isAmong(it, answers))
  if (answers.length === 0 && expected === 'NOERROR') {
    const kind = type === 'A' || type === 'AAAA' ? 'dns_no_address' : 'dns_answer'
    throw new Failure(kind, `${name} has no ${type} record.`)
  }
  if (missing.length > 0) {
    throw new Failure('dns_answer', `The ${type} records of ${name} lack ${missing.join(', ').slice(0, 300)}.`)
  }
}
