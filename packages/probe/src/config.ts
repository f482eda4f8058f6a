import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { type LogFormat, type LogLevel, logFormats, logLevels } from './logger.ts'

/** Something about the command line or the environment is wrong; the message names it and the mend. Exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** A setting: flag beats environment beats default. */
interface Setting<T> {
  env: string | undefined
  default: T
  /** @throws {UsageError} with what is wrong; `from` names where the text came from */
  parse: (text: string, from: string) => T
}

const text = (value: string) => value

/** Every setting of `run`, its twin in the environment and its default. The flag is the key in kebab-case. */
export const settings = {
  server: { env: 'WATCHPOST_URL', default: undefined, parse: parseServer } as Setting<string | undefined>,
  token: { env: 'WATCHPOST_PROBE_TOKEN', default: undefined, parse: parseToken } as Setting<string | undefined>,
  tokenFile: { env: 'WATCHPOST_PROBE_TOKEN_FILE', default: undefined, parse: text } as Setting<string | undefined>,
  spoolDir: { env: 'WATCHPOST_SPOOL_DIR', default: './probe-spool', parse: text } as Setting<string>,
  concurrency: { env: 'WATCHPOST_CONCURRENCY', default: 100, parse: parseConcurrency } as Setting<number>,
  spoolSize: { env: 'WATCHPOST_SPOOL_SIZE', default: 1_000_000_000, parse: parseSize } as Setting<number>,
  witness: { env: 'WATCHPOST_WITNESSES', default: [], parse: parseWitnesses } as Setting<Address[]>,
  name: { env: 'WATCHPOST_PROBE_NAME', default: hostname(), parse: text } as Setting<string>,
  healthListen: { env: 'WATCHPOST_HEALTH_LISTEN', default: undefined, parse: parseAddress } as Setting<
    Address | undefined
  >,
  logLevel: { env: 'WATCHPOST_LOG_LEVEL', default: 'info', parse: oneOf(logLevels) } as Setting<LogLevel>,
  logFormat: { env: 'WATCHPOST_LOG_FORMAT', default: 'json', parse: oneOf(logFormats) } as Setting<LogFormat>,
}
type Settings = typeof settings
type Values = { [K in keyof Settings]: Settings[K]['default'] }

/** Where to listen; port 0 takes a free one. */
export interface Address {
  host: string
  port: number
}

/** What `run` works with. */
export interface RunConfig extends Omit<Values, 'token' | 'tokenFile'> {
  server: string
  token: string
}

/** Flags as given on the command line, in camel case; absent ones undefined. */
export type Flags = { [K in keyof Settings]?: string | undefined }
export type Env = Record<string, string | undefined>

/**
 * Settles what `run` works with.
 * @throws {UsageError} for a missing or malformed value, or a token file that cannot be read
 */
export function resolveRunConfig(flags: Flags, env: Env): RunConfig {
  const { server, token, tokenFile: _, ...rest } = resolveSettings(flags, env)
  if (server === undefined) throw new UsageError('No server: give --server URL or set WATCHPOST_URL')
  if (token === undefined) {
    throw new UsageError('No token: give --token-file FILE, or set WATCHPOST_PROBE_TOKEN or WATCHPOST_PROBE_TOKEN_FILE')
  }
  return { ...rest, server, token }
}

/** As {@link resolveRunConfig}, with server and token left open: for commands that can do without. */
export function resolveSettings(flags: Flags, env: Env): Values {
  const values = Object.fromEntries(
    (Object.keys(settings) as (keyof Settings)[]).map(key => [key, resolve(key, flags, env)]),
  ) as unknown as Values
  return { ...values, token: resolveToken(flags, env) }
}

function resolve(key: keyof Settings, flags: Flags, env: Env): unknown {
  const setting: Setting<unknown> = settings[key]
  const flag = flags[key]
  if (flag !== undefined) return setting.parse(flag, flagName(key))
  // Compose files and units set empty variables for "nothing given".
  const variable = setting.env === undefined ? undefined : env[setting.env]
  if (variable !== undefined && variable !== '') return setting.parse(variable, setting.env as string)
  return setting.default
}

/** A file named on the command line beats a token in the environment. */
function resolveToken(flags: Flags, env: Env): string | undefined {
  if (flags.token !== undefined && flags.tokenFile !== undefined) {
    throw new UsageError('Give --token or --token-file, not both')
  }
  if (flags.token === undefined && flags.tokenFile !== undefined) return readToken(flags.tokenFile, '--token-file')
  const token = resolve('token', flags, env) as string | undefined
  if (token !== undefined) return token
  const file = env.WATCHPOST_PROBE_TOKEN_FILE
  return file ? readToken(file, 'WATCHPOST_PROBE_TOKEN_FILE') : undefined
}

function readToken(path: string, from: string): string {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${from}: cannot read ${path}: ${(error as NodeJS.ErrnoException).code ?? 'error'}`)
  }
  return parseToken(content.trim(), `${from} ${path}`)
}

function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`
}

function parseServer(value: string, from: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError(`${from}: "${value}" is not an http or https URL, such as https://watchpost.example.com`)
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError(`${from}: give the address of the server only, without user, query or fragment`)
  }
  return url.href.replace(/\/+$/, '')
}

function parseToken(value: string, from: string): string {
  // Never quote it: it may be most of a real one.
  if (!/^[\x21-\x7e]+$/.test(value)) throw new UsageError(`${from}: the token is empty or holds blanks or line breaks`)
  return value
}

function parseConcurrency(value: string, from: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new UsageError(`${from}: "${value}" is not a whole number from 1 to 10000`)
  }
  return number
}

function parseAddress(value: string, from: string): Address {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(value)
  const port = Number(match?.[3])
  if (match === null || port > 65_535)
    throw new UsageError(`${from}: "${value}" is not HOST:PORT, such as 127.0.0.1:9100`)
  return { host: match[1] ?? match[2] ?? '', port }
}

/** One or several, with commas between them. */
function parseWitnesses(value: string, from: string): Address[] {
  const witnesses = value.split(',').map(text => parseAddress(text.trim(), from))
  for (const { host, port } of witnesses) {
    if (host === '' || port === 0) throw new UsageError(`${from}: a witness is HOST:PORT, such as 192.168.1.1:53`)
  }
  return witnesses
}

const units: Record<string, number> = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

function parseSize(value: string, from: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]B|)$/i.exec(value.trim())
  const bytes = Math.round(Number(match?.[1]) * (units[(match?.[2] ?? '').toUpperCase()] ?? Number.NaN))
  // Less than a few segments would be dropped before it could be sent.
  if (!(bytes >= 5e6)) throw new UsageError(`${from}: "${value}" is not a size of 5MB or more, such as 500MB or 2GB`)
  return bytes
}

function oneOf<const W extends readonly string[]>(words: W): (value: string, from: string) => W[number] {
  return (value, from) => {
    // "plain" is what other programs call the same thing.
    const word = value === 'plain' ? 'pretty' : value
    if (!words.includes(word)) throw new UsageError(`${from}: "${value}" is not one of ${words.join(', ')}`)
    return word
  }
}
