import type { Backtest, Outage } from '@watchpost/contract'
import { escapeText } from '../escape.ts'
import { paint } from '../table.ts'

/** A backtest as text for people: what would have been reported, beside what was. */
export function backtestText({ monitors, unknown, notes, since }: Backtest, colour: boolean): string {
  const shown = monitors.filter(({ would, did }) => would.length > 0 || did.length > 0)
  const parts = shown.map(({ name, would, did, checks }) => {
    const head = `${paint(escapeText(name), 'bold', colour)}  ${would.length} would have opened, ${did.length} did (${checks} checks)\n`
    const lines = [
      ...would.map(outage => ({ outage, sign: 'would', tone: 'warn' as const })),
      ...did.map(outage => ({ outage, sign: 'did', tone: 'dim' as const })),
    ].sort((a, b) => (a.outage.opened_at < b.outage.opened_at ? -1 : 1))
    return (
      head +
      lines
        .map(({ outage, sign, tone }) => `  ${paint(sign.padEnd(5), tone, colour)}  ${outageText(outage)}\n`)
        .join('')
    )
  })
  const sum = (of: 'would' | 'did') => monitors.reduce((count, monitor) => count + monitor[of].length, 0)
  const checks = monitors.reduce((count, monitor) => count + monitor.checks, 0)
  const end = [
    `Since ${since}: ${sum('would')} incidents would have opened, ${sum('did')} did; ${checks} checks of ${monitors.length} monitors.`,
    ...unknown.map(name => `No monitor is called "${escapeText(name)}" on the server.`),
    ...notes,
  ]
  return `${[...parts, end.map(line => `${line}\n`).join('')].join('\n')}`
}

function outageText({ opened_at, resolved_at, error }: Outage): string {
  const until = resolved_at === null ? 'open' : lasted(Date.parse(resolved_at) - Date.parse(opened_at))
  return `${opened_at}  ${until.padEnd(8)}${error === null ? '' : `  ${escapeText(error)}`}`
}

function lasted(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1000)} s`
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}
