import type {
  AlertTriggered,
  ChannelTested,
  IncidentCreated,
  IncidentUpdated,
  MonitorStatusChanged,
  SentEvent,
  UsageThreshold,
} from '@watchpost/contract'

/** An event in words, for each service to set in its own way. Plain text: nothing in it is markup. */
export interface Notice {
  tone: 'bad' | 'good' | 'neutral'
  title: string
  /** What somebody wrote, if anybody did. */
  text: string | null
  facts: { label: string; value: string }[]
  /** Where to read more. */
  link: string | null
}

type Words = Omit<Notice, 'link'>

interface Bodies {
  'monitor.status_changed': MonitorStatusChanged
  'incident.created': IncidentCreated
  'incident.updated': IncidentUpdated
  'alert.triggered': AlertTriggered
  'channel.test': ChannelTested
  'usage.threshold': UsageThreshold
}

const words: { [E in SentEvent]: (body: Bodies[E], downSince: number | null) => Words } = {
  'monitor.status_changed': ({ data, timestamp }, downSince) =>
    data.new_status === 'offline'
      ? down(data.monitor_name, 'is down', data.error_message, downSince ?? Date.parse(timestamp))
      : up(data.monitor_name, Date.parse(timestamp), downSince),
  'alert.triggered': ({ data, timestamp }, downSince) => {
    if (data.status !== 'offline') return up(data.monitor_name, Date.parse(timestamp), downSince)
    const since = downSince ?? Date.parse(data.since ?? timestamp)
    const { facts, ...rest } = down(data.monitor_name, 'is still down', data.error_message, since)
    return { ...rest, facts: [...facts, fact('Down for', duration(Date.parse(timestamp) - since))] }
  },
  'incident.created': ({ data }) => incident(`Incident: ${data.title}`, data, null),
  'incident.updated': ({ data }) => {
    const resolved = data.status === 'resolved' && data.old_status !== 'resolved'
    const what = resolved ? 'Incident resolved' : 'Incident updated'
    return incident(`${what}: ${data.title}`, data, data.update?.message ?? null)
  },
  'channel.test': ({ data }) => ({
    tone: 'neutral',
    title: `Test of the channel ${oneLine(data.channel_name)}`,
    text: 'This is how alerts arrive here.',
    facts: [],
  }),
  'usage.threshold': ({ data }) => {
    const quota = data.quota_type.replaceAll('_', ' ')
    const title =
      data.reason === 'quota_used'
        ? `${data.app_name} has used ${data.threshold} percent of its ${quota}`
        : `The top-up of ${data.app_name} for ${quota} runs low`
    return {
      tone: data.severity === 'info' ? 'neutral' : 'bad',
      title: oneLine(title),
      text: null,
      facts: [
        fact('Used', `${data.used} of ${data.limit}`),
        fact('Top-up left', String(data.top_up_balance)),
        fact('Begins anew', time(Date.parse(data.reset_at))),
      ],
    }
  },
}

/**
 * @param body the event, as it was committed
 * @param downSince when the outage began that it is about, if it is about one
 */
export function noticeOf(event: SentEvent, body: unknown, downSince: number | null, link: string | null): Notice {
  return { ...words[event](body as never, downSince), link }
}

function down(name: string, what: string, error: string | null, since: number): Words {
  const reason = oneLine(error ?? '')
  return {
    tone: 'bad',
    title: `${oneLine(name)} ${what}`,
    text: null,
    facts: [...(reason === '' ? [] : [fact('Reason', reason)]), fact('Since', time(since))],
  }
}

function up(name: string, at: number, since: number | null): Words {
  return {
    tone: 'good',
    title: `${oneLine(name)} is up again`,
    text: null,
    facts:
      since === null
        ? [fact('Since', time(at))]
        : [fact('Was down for', duration(at - since)), fact('Since', time(at))],
  }
}

function incident(title: string, data: IncidentCreated['data'], text: string | null): Words {
  const lasted = data.resolved_at === null ? null : Date.parse(data.resolved_at) - Date.parse(data.started_at)
  return {
    tone: data.status === 'resolved' ? 'good' : data.severity === 'minor' ? 'neutral' : 'bad',
    title: oneLine(title),
    // Services refuse a message with a part that is blank.
    text: text?.trim() || null,
    facts: [
      fact('Status', data.status),
      fact('Severity', data.severity),
      fact('Since', time(Date.parse(data.started_at))),
      ...(lasted === null ? [] : [fact('Lasted', duration(lasted))]),
    ],
  }
}

const fact = (label: string, value: string) => ({ label, value })

const time = (at: number): string =>
  new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')

/** The two largest parts: `3 h 20 min`. */
export function duration(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000))
  const parts: string[] = []
  for (const [unit, seconds] of units) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ')
}
const units = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** Without line breaks and other characters that would pretend to be more than text, as directions of writing do. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
}

/**
 * Text as a service wants it written, cut where it would become longer than the service takes.
 * @param escaped how one character is written
 */
export function fitted(text: string, longest: number, escaped: (char: string) => string = char => char): string {
  const chars = [...text].map(escaped)
  let length = chars.reduce((sum, char) => sum + char.length, 0)
  if (length <= longest) return chars.join('')
  // Room for the mark that something is missing.
  while (length > longest - 1) length -= chars.pop()?.length ?? 0
  return `${chars.join('')}…`
}

/** Of `&`, `<`, `>` and quotes, as HTML writes them. */
export function htmlChar(char: string): string {
  return htmlNames[char] ?? char
}
const htmlNames: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
