import type { ChannelItem, MonitorItem, Resources, StatusPageItem } from '@watchpost/contract'
import { withoutCredentials } from './address.ts'

/** Anything that was read from another program's file. */
export type Raw = Record<string, unknown>

/** What a monitor says of the certificate that it sees. */
type CertificateOf = Pick<MonitorItem, 'name' | 'target' | 'interval' | 'enabled' | 'ssl_verify'>

/** What becomes of another program's configuration, and what does not. */
export class Conversion {
  readonly monitors: MonitorItem[] = []
  readonly status_pages: StatusPageItem[] = []
  readonly channels: ChannelItem[] = []
  readonly maintenance: NonNullable<Resources['maintenance']> = []
  /** What could not be mapped, and what people should look at, a line each. */
  readonly notes: string[] = []
  private readonly names = new Set<string>()

  /** Something that is not in the output. */
  note(what: string, message: string): void {
    this.notes.push(`not mapped: ${what}: ${message}`)
  }

  /** Something that is otherwise in the output. */
  mind(what: string, message: string): void {
    this.notes.push(`mind: ${what}: ${message}`)
  }

  /** A name that no monitor has yet; another program may not have cared. */
  freeName(wanted: string, otherwise = wanted): string {
    const base = this.names.has(wanted) ? otherwise : wanted
    let name = base.slice(0, 250) || 'unnamed'
    for (let count = 2; this.names.has(name); count++) name = `${base.slice(0, 240)} (${count})`
    this.names.add(name)
    return name
  }

  /** Adds a monitor, without what is as by default. */
  add(what: string, monitor: MonitorItem): MonitorItem {
    const { interval = 60, timeout = 10 } = monitor
    const bounded = Math.min(86_400, Math.max(10, Math.round(interval)))
    if (bounded !== interval) this.mind(what, `an interval of ${interval} s became ${bounded} s`)
    const within = Math.max(1, Math.min(60, bounded - 1, Math.round(timeout)))
    if (within !== timeout) this.mind(what, `a timeout of ${timeout} s became ${within} s`)
    const plain = Math.min(10, bounded - 1)
    const { name, options = {}, ...rest } = this.withAuth(what, monitor)
    const kept = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
    const item: Raw = {
      name,
      ...rest,
      interval: bounded === 60 ? undefined : bounded,
      timeout: within === plain ? undefined : within,
      method: rest.method === 'get' ? undefined : rest.method,
      ssl_verify: rest.ssl_verify === false ? false : undefined,
      enabled: rest.enabled === false ? false : undefined,
      options: Object.keys(kept).length === 0 ? undefined : kept,
    }
    const clean = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as MonitorItem
    this.monitors.push(clean)
    return clean
  }

  /** What an address says of users and passwords becomes an option: addresses are for everybody. */
  private withAuth(what: string, monitor: MonitorItem): MonitorItem {
    const { target, auth } = withoutCredentials(monitor.target)
    if (auth === undefined) return monitor
    const options = asRaw(monitor.options)
    const said = Object.keys(asRaw(options.headers)).some(name => name.toLowerCase() === 'authorization')
    if (options.auth !== undefined || said) {
      this.mind(what, 'the user and password in its address were not used, and are left out')
      return { ...monitor, target }
    }
    this.mind(what, 'the user and password in its address became options.auth')
    return { ...monitor, target, options: { ...options, auth: { type: 'basic', ...auth } } }
  }

  /** A monitor of the certificate of an https address, which is no part of looking at a page. */
  addCertificate(
    what: string,
    { name, target, interval = 60, enabled = true, ssl_verify = true }: CertificateOf,
    days: number,
  ): MonitorItem {
    const url = URL.parse(target)
    return this.add(`${what}, its certificate`, {
      name: this.freeName(`${name} certificate`),
      type: 'ssl',
      target: url === null ? target : `${url.hostname}${url.port === '' ? '' : `:${url.port}`}`,
      interval: Math.max(interval, 3600),
      enabled,
      ssl_verify,
      options: { min_days_left: days },
    })
  }

  get resources(): Resources {
    const { monitors, status_pages, channels, maintenance } = this
    const all = { monitors, status_pages, channels, maintenance }
    return Object.fromEntries(Object.entries(all).filter(([, items]) => items.length > 0))
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** The method, or GET and a note. */
export function methodOf(conversion: Conversion, what: string, given: unknown): MonitorItem['method'] {
  const word = String(given ?? 'get').toLowerCase()
  const method = methods.find(each => each === word)
  if (method === undefined) conversion.mind(what, `the method ${String(given)} became GET`)
  return method ?? 'get'
}

/** Mail leaves through the server's own account. */
export const mailServer =
  'its mail server and sender are left out; the server has its own, WATCHPOST_SMTP_URL and WATCHPOST_MAIL_FROM'

/** http or https, by the address. */
export function httpType(url: string): 'http' | 'https' {
  return /^https:/i.test(url) ? 'https' : 'http'
}

const units: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of `1h30m`, `500ms` or a number. */
export function secondsOf(given: unknown, otherwise: number): number {
  if (typeof given === 'number') return given
  const parts = [...String(given ?? '').matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)]
  if (parts.length === 0) return otherwise
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit as string] as number), 0)
}

export const asList = (value: unknown): Raw[] => (Array.isArray(value) ? (value as Raw[]) : [])
export const asRaw = (value: unknown): Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {}

/** Text of a regular expression that means only itself. */
export function literal(pattern: string): string | undefined {
  const escaped = /\\([^\w\s])/g
  return /[.*+?()[\]{}|^$\\]/.test(pattern.replaceAll(escaped, '')) ? undefined : pattern.replaceAll(escaped, '$1')
}
