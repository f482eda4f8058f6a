import { readFileSync } from 'node:fs'
import { type Plan, plans } from '@watchpost/contract'
import { type AddressRange, parseRange } from './domain/client-address.ts'
import type { Hosts } from './domain/surface-host.ts'
import { type Given, type Setting, type SettingName, settings } from './settings.ts'

export { type Given, type SettingName, settings } from './settings.ts'

/** What the caller of the program did wrong: one line, no stack trace, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** What cannot be done as things are: one line that says how to mend it, exit code 1. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

export interface Address {
  host: string
  port: number
}

export interface Config {
  listen: Address
  otlpListen: Address | null
  dataDir: string
  databaseUrl: string | undefined
  publicUrl: string | undefined
  logLevel: string
  logFormat: 'json' | 'pretty'
  instanceKey: string | undefined
  metricsToken: string | undefined
  channelPrivate: 'allow' | 'deny'
  mailServer: MailServer | undefined
  telegramUrl: string
  rateLimits: RateLimits
  registration: 'open' | 'closed'
  defaultPlan: Plan
  trustedProxies: AddressRange[]
  hosts: Hosts
  telemetry: TelemetryLimits
}

/** What is taken of telemetry, and how long it is kept. */
export interface TelemetryLimits {
  /** Bytes of an OTLP body, before and after decompression. */
  largestBody: number
  /** Free space on the disk below which none is taken, MiB; 0 for any. */
  freeMb: number
  /** Series of metrics that an app may begin within an hour; 0 for any. */
  newSeriesHour: number
  days: { telemetry: number; points: number }
}

/** The mail server of the instance; the operator's choice, so its address is not judged. */
export interface MailServer {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS where it is offered. */
  secure: boolean
  user: string | undefined
  password: string | undefined
  from: string
}

/** Requests per window (specification 8.1); 0 is no limit. */
export interface RateLimits {
  tokenHour: number
  tokenMinute: number
  anonymousHour: number
  probeMinute: number
  sessionMinute: number
  login15Min: number
  registrationHour: number
  rumKeyMinute: number
  rumAddressMinute: number
  subscriptionHour: number
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

/**
 * The whole configuration, checked.
 * @param given values of flags
 * @throws {UsageError} naming the setting and what it takes
 */
export function readConfig(given: Given, env: NodeJS.ProcessEnv, terminal: boolean): Config {
  const value = (name: SettingName) => given[name] ?? fromEnv(settings[name], env) ?? settings[name].default
  const required = (name: SettingName) => value(name) as string
  const otlp = required('otlpListen')
  return {
    listen: address('listen', required('listen')),
    otlpListen: otlp === 'off' ? null : address('otlpListen', otlp),
    dataDir: required('dataDir'),
    databaseUrl: databaseUrl(value('databaseUrl')),
    publicUrl: value('publicUrl') === undefined ? undefined : webUrl('publicUrl', required('publicUrl')),
    logLevel: oneOf('logLevel', required('logLevel'), logLevels),
    logFormat: oneOf('logFormat', value('logFormat') ?? (terminal ? 'pretty' : 'json'), ['json', 'pretty'] as const),
    instanceKey: value('instanceKey'),
    metricsToken: value('metricsToken'),
    channelPrivate: oneOf('channelPrivate', required('channelPrivate'), ['allow', 'deny'] as const),
    mailServer: mailServer(value('smtpUrl'), value('mailFrom')),
    telegramUrl: webUrl('telegramUrl', required('telegramUrl')),
    rateLimits: {
      tokenHour: count('rateLimitTokenHour', required('rateLimitTokenHour')),
      tokenMinute: count('rateLimitTokenMinute', required('rateLimitTokenMinute')),
      anonymousHour: count('rateLimitAnonymousHour', required('rateLimitAnonymousHour')),
      probeMinute: count('rateLimitProbeMinute', required('rateLimitProbeMinute')),
      sessionMinute: count('rateLimitSessionMinute', required('rateLimitSessionMinute')),
      login15Min: count('rateLimitLogin15Min', required('rateLimitLogin15Min')),
      registrationHour: count('rateLimitRegistrationHour', required('rateLimitRegistrationHour')),
      rumKeyMinute: count('rateLimitRumKeyMinute', required('rateLimitRumKeyMinute')),
      rumAddressMinute: count('rateLimitRumAddressMinute', required('rateLimitRumAddressMinute')),
      subscriptionHour: count('rateLimitSubscriptionHour', required('rateLimitSubscriptionHour')),
    },
    registration: oneOf('registration', required('registration'), ['open', 'closed'] as const),
    defaultPlan: oneOf('defaultPlan', required('defaultPlan'), plans),
    trustedProxies: ranges('trustedProxies', required('trustedProxies')),
    hosts: {
      api: hostName('apiHost', value('apiHost')),
      otlp: hostName('otlpHost', value('otlpHost')),
      rum: hostName('rumHost', value('rumHost')),
      site: hostName('siteHost', value('siteHost')),
    },
    telemetry: {
      largestBody: atLeastOne('otlpBodyMb', required('otlpBodyMb')) * 1_048_576,
      freeMb: count('telemetryFreeMb', required('telemetryFreeMb')),
      newSeriesHour: count('telemetryNewSeriesHour', required('telemetryNewSeriesHour')),
      days: { telemetry: atLeastOne('telemetryDays', required('telemetryDays')), points: rawPointDays },
    },
  }
}

function fromEnv(setting: Setting, env: NodeJS.ProcessEnv): string | undefined {
  const direct = env[setting.env]
  if (direct !== undefined && direct !== '') return direct
  const file = setting.secret ? env[`${setting.env}_FILE`] : undefined
  if (file === undefined || file === '') return undefined
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`${setting.env}_FILE: cannot read ${file}: ${(error as NodeJS.ErrnoException).code}`)
  }
}

/** What a setting is called where people set it. */
function label(name: SettingName): string {
  const setting: Setting = settings[name]
  return setting.flag === undefined ? setting.env : `${setting.flag.split(' ', 1)[0]} (${setting.env})`
}

function address(name: SettingName, text: string): Address {
  const match = /^(?:\[([\da-fA-F:.]+)\]|([\w.-]*)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  if (match === null || port > 65_535) {
    throw new UsageError(`${label(name)} takes HOST:PORT such as 127.0.0.1:8080, not "${text}"`)
  }
  return { host: match[1] ?? (match[2] || '0.0.0.0'), port }
}

function oneOf<const W extends string>(name: SettingName, text: string, words: readonly W[]): W {
  const word = words.find(each => each === text)
  if (word === undefined) throw new UsageError(`${label(name)} takes ${words.join(', ')}, not "${text}"`)
  return word
}

function count(name: SettingName, text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`${label(name)} takes a whole number, 0 for no limit, not "${text}"`)
  return Number(text)
}

/** Raw points of metrics; their aggregates are kept longer (specification 8.3). */
const rawPointDays = 7

function atLeastOne(name: SettingName, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new UsageError(`${label(name)} takes a whole number from 1, not "${text}"`)
  return Number(text)
}

function ranges(name: SettingName, text: string): AddressRange[] {
  const entries = text.split(',').map(entry => entry.trim())
  return entries
    .filter(entry => entry !== '')
    .map(entry => {
      const range = parseRange(entry)
      if (range !== undefined) return range
      throw new UsageError(`${label(name)} takes addresses and CIDRs such as 10.0.0.0/8,::1, not "${entry}"`)
    })
}

function hostName(name: SettingName, text: string | undefined): string | undefined {
  if (text !== undefined && !/^[a-z\d]([a-z\d.-]*[a-z\d])?(:\d{1,5})?$/i.test(text)) {
    throw new UsageError(`${label(name)} takes a host name such as api.example.com, not "${text}"`)
  }
  return text?.toLowerCase()
}

function databaseUrl(text: string | undefined): string | undefined {
  if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) {
    throw new UsageError(`${label('databaseUrl')} takes postgres://user:password@host:port/name`)
  }
  return text
}

/** The message does not repeat the URL: it holds a password. */
function mailServer(text: string | undefined, from: string | undefined): MailServer | undefined {
  if (text === undefined) return undefined
  const url = /^smtps?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname) throw new UsageError(`${label('smtpUrl')} takes smtp[s]://user:password@host:port`)
  if (from === undefined || !/^[^\r\n]*[^\s<>@]+@[^\s<>@]+>?$/.test(from)) {
    throw new UsageError(`${label('mailFrom')} takes the sender of e-mail, such as Watchpost <alerts@example.com>`)
  }
  const secure = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    user: url.username === '' ? undefined : decodeURIComponent(url.username),
    password: url.password === '' ? undefined : decodeURIComponent(url.password),
    from,
  }
}

function webUrl(name: SettingName, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`${label(name)} takes an http or https URL, not "${text}"`)
  }
  return text.replace(/\/+$/, '')
}
