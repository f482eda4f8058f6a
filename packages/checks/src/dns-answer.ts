import { isIP } from 'node:net'
import type { Answer, CaaData, MxData, SoaData, SrvData, TxtData } from 'dns-packet'

/** One answer as zone files write it: `10 mail.example.com`, `0 issue "ca.example"`; names without their last dot. */
export function written(answer: Answer): string {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return withoutDot(answer.data)
    case 'MX': {
      const { preference = 0, exchange }: MxData = answer.data
      return `${preference} ${withoutDot(exchange)}`
    }
    case 'SRV': {
      const { priority = 0, weight = 0, port, target }: SrvData = answer.data
      return `${priority} ${weight} ${port} ${withoutDot(target)}`
    }
    case 'CAA': {
      const { flags = 0, tag, value }: CaaData = answer.data
      return `${flags} ${tag} "${value}"`
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum }: SoaData = answer.data
      return [withoutDot(mname), withoutDot(rname), serial, refresh, retry, expire, minimum].join(' ')
    }
    case 'TXT':
      return textOf(answer.data)
    default:
      return String('data' in answer ? answer.data : '')
  }
}

/** The answers of a type that belong to a name, or to the one at the end of its aliases; no others. */
export function answersFor(name: string, type: string, answers: readonly Answer[]): Answer[] {
  let owner = name.toLowerCase()
  // Each alias leads to the next at most once: those that lead back to themselves lead nowhere.
  for (const _ of [name, ...answers]) {
    const own = answers.filter(it => it.type === type && it.name.toLowerCase() === owner)
    if (own.length > 0) return own
    const alias = answers.find(it => it.type === 'CNAME' && it.name.toLowerCase() === owner)
    if (alias?.type !== 'CNAME') return []
    owner = withoutDot(alias.data).toLowerCase()
  }
  return []
}

/**
 * Whether an expected answer is among those given. Case, a trailing dot, quotes and the spelling of an IPv6 address do
 * not matter, and the last part alone (`mail.example.com` for an MX) is enough.
 */
export function isAmong(expected: string, answers: readonly string[]): boolean {
  const wanted = normal(expected)
  return answers.some(answer => {
    const given = normal(answer)
    return given === wanted || given.split(' ').at(-1) === wanted
  })
}

function normal(text: string): string {
  const words = text.trim().toLowerCase().replaceAll('"', '').split(/\s+/).map(withoutDot)
  const [word = ''] = words
  return words.length === 1 && isIP(word) === 6 ? new URL(`http://[${word}]`).hostname : words.join(' ')
}

const withoutDot = (name: string) => name.replace(/(.)\.$/, '$1')

const textOf = (data: TxtData) => (Array.isArray(data) ? data.map(String).join('') : String(data))
