import type { ChannelItem, MonitorItem, Resources, StatusPageItem } from '@watchpost/contract'
import { withoutCredentials } from './address.ts'

/** Anything that was read from another program's file. */
export type Raw = Record<string, unknown>

/** What a monitor says of the certificate that it sees. */
type CertificateOf = Pick<MonitorItem, 'name' | 'target' | 'interval' | 'enabled' | 'ssl_verify'>

/** Says of a monitor what the server would refuse: field to message. */
export type Judge = (monitor: MonitorItem) => Record<string, string>

/** Without them it would look at something else, or not at all. */
const essential = ['type', 'target', 'options', 'options.record_type', 'options.resolver']

/** What becomes of another program's configuration, and what does not. */
export class Conversion {
  readonly monitors: MonitorItem[] = []
  readonly status_pages: StatusPageItem[] = []
  readonly channels: ChannelItem[] = []
  readonly maintenance: NonNullable<Resources['maintenance']> = []
  /** What could not be mapped, and what people should look at, a line each. */
  readonly notes: string[] = []
  private readonly names = new Set<string>()
  private readonly judge: Judge

  constructor(judge: Judge = () => ({})) {
    this.judge = judge
  }

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

  /**
   * Adds a monitor, without what is as by default.
   * @returns it as it was added; nothing if the server would refuse it
   */
  add(what: string, given: MonitorItem): MonitorItem | undefined {
    const monitor = this.judged(what, this.withAuth(what, given))
    if (monitor === undefined) {
      this.names.delete(given.name)
      return undefined
    }
    const { interval = 60, timeout = 10 } = monitor
    const bounded = Math.min(86_400, Math.max(10, Math.round(interval)))
    if (bounded !== interval) this.mind(what, `an interval of ${interval} s became ${bounded} s`)
    const within = Math.max(1, Math.min(60, bounded - 1, Math.round(timeout)))
    if (within !== timeout) this.mind(what, `a timeout of ${timeout} s became ${within} s`)
    const plain = Math.min(10, bounded - 1)
    const { name, options = {}, ...rest } = monitor
    const kept = defined(options)
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
    const clean = defined(item) as unknown as MonitorItem
    this.monitors.push(clean)
    return clean
  }

  /** What is left of a monitor that the server takes. */
  private judged(what: string, monitor: MonitorItem): MonitorItem | undefined {
    const options = defined(monitor.options ?? {})
    const faults = Object.entries(this.judge({ ...monitor, options }))
    for (const [field, message] of faults) {
      const name = field.replace('options.', '')
      // Of what is not named here the value may be a secret, and an address that nobody understands may hold one.
      const held = field === 'target' ? monitor.target.replace(/^.*@/, '***@') : options[name]
      const isEssential = essential.includes(field)
      const said = isEssential || name === 'size' ? ` ${String(JSON.stringify(held)).slice(0, 200)}` : ''
      this.note(what, `its ${field}${said} ${message}; ${isEssential ? 'left out' : 'the option is left out'}`)
      if (isEssential) return undefined
      delete options[name]
    }
    return { ...monitor, options }
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
  ): MonitorItem | undefined {
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

const defined = (held: Raw): Raw => Object.fromEntries(Object.entries(held).filter(([, value]) => value !== undefined))

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
