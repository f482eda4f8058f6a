/** How an hour went; `blank` is one that nobody watched, neither good nor bad. */
export type Tone = 'good' | 'warn' | 'bad' | 'blank'

/** As the strip of ninety days has it. */
export function toneOf(uptime: number | null): Tone {
  if (uptime === null) return 'blank'
  return uptime >= 99.9 ? 'good' : uptime >= 95 ? 'warn' : 'bad'
}

const step = 5
const width = 4
const height = 20
/** What nobody watched is a stub: the shape says it, too. */
const stub = 4

/** A bar for each hour, as one path for each tone: a row has four shapes, and not one for each hour. */
export function paths(hours: readonly (number | null)[]): Partial<Record<Tone, string>> {
  const drawn: Partial<Record<Tone, string>> = {}
  for (const [at, uptime] of hours.entries()) {
    const tone = toneOf(uptime)
    const tall = tone === 'blank' ? stub : height
    drawn[tone] = `${drawn[tone] ?? ''}M${at * step} ${(height - tall) / 2}h${width}v${tall}h-${width}z`
  }
  return drawn
}

export const viewBox = (hours: number): string => `0 0 ${hours * step - (step - width)} ${height}`

/** The strip in words. */
export function said(hours: readonly (number | null)[]): string {
  const known = hours.filter(uptime => uptime !== null)
  if (known.length === 0) return 'Nobody watched in the last 24 hours'
  const bad = known.filter(uptime => uptime < 99.9).length
  const blank = hours.length - known.length
  const parts = [
    bad === 0 ? 'no hour with downtime' : `${bad} ${bad === 1 ? 'hour' : 'hours'} with downtime`,
    ...(blank === 0 ? [] : [`${blank} not watched`]),
  ]
  return `Last 24 hours: ${parts.join(', ')}`
}
