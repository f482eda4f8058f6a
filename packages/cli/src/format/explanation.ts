import type { Attempt, Explanation, RegionSays, StatusChange } from '@watchpost/contract'
import type { Column, Tone } from '../table.ts'
import type { View } from '../view.ts'
import { inTenths, milliseconds, statusTone } from './monitors.ts'
import { moment } from './time.ts'

/** A change of status, or one of the checks it was decided on, a line each. */
interface Line {
  at: string
  status: string
  tone: Tone | undefined
  attempt: Attempt | undefined
  said: string
}

const reasonColumns: Column<string>[] = [{ title: 'WHY', cell: reason => reason }]

const voteTones: Record<string, Tone> = { up: 'good', down: 'bad', unsure: 'warn', silent: 'dim' }

const voteColumns: Column<RegionSays>[] = [
  { title: 'REGION', cell: ({ region }) => region, least: 10 },
  { title: 'VOTE', cell: ({ vote }) => String(vote), tone: ({ vote }) => voteTones[String(vote)] },
  { title: 'FAILURES', cell: ({ failures }) => String(failures), right: true },
  { title: 'PROBE', cell: ({ probe }) => probe ?? '-', least: 8 },
  { title: 'CHECKED', cell: ({ last_check_at }) => moment(last_check_at), moment: true },
]

const lineColumns: Column<Line>[] = [
  { title: 'AT', cell: ({ at }) => moment(at), moment: true },
  { title: 'STATUS', cell: ({ status }) => status, tone: ({ tone }) => tone },
  { title: 'PROBE', cell: ({ attempt }) => attempt?.probe ?? '', least: 8 },
  { title: 'REGION', cell: ({ attempt }) => attempt?.region ?? '', least: 8, optional: 2 },
  { title: 'RESPONSE', cell: ({ attempt }) => (attempt ? milliseconds(attempt.response_time_ms) : ''), right: true },
  { title: 'PHASES', cell: ({ attempt }) => (attempt ? phases(attempt) : ''), tone: () => 'dim', below: true },
  { title: 'SEEN', cell: ({ said }) => said, least: 24, below: true },
]

/** Why, then what the regions say, then each change with the checks it was decided on. */
export const explanationView: View<Explanation> = {
  singular: 'explanation',
  plural: 'explanations',
  name: ({ monitor_id }) => String(monitor_id),
  columns: [
    { title: 'STATUS', cell: ({ status }) => String(status), tone: ({ status }) => statusTone(String(status)) },
  ],
  parts: [
    { field: 'reasons', columns: reasonColumns, rows: ({ reasons }) => reasons },
    { field: 'votes', columns: voteColumns, rows: ({ votes }) => votes },
    { field: 'changes', columns: lineColumns, rows: ({ changes }) => changes.flatMap(linesOf) },
  ],
}

function linesOf({ at, old_status, new_status, attempts, votes }: StatusChange): Line[] {
  const said = votes.map(({ region, vote }) => `${region} ${vote}`).join(', ')
  const status = `${old_status} → ${new_status}`
  return [
    { at, status, tone: statusTone(String(new_status)), attempt: undefined, said },
    ...attempts.map(attempt => ({
      at: attempt.checked_at,
      status: `  ${attempt.status}`,
      tone: statusTone(String(attempt.status)),
      attempt,
      said: seenBy(attempt),
    })),
  ]
}

function phases({ timings }: Attempt): string {
  return Object.entries(timings ?? {})
    .map(([name, ms]) => `${name.replace(/_ms$/, '').replace('_', ' ')} ${inTenths(Number(ms))}`)
    .join(', ')
}

/** The error, then what else was seen. */
function seenBy({ error_kind, error_message, details }: Attempt): string {
  const error = [error_kind, error_message].filter(part => part !== null).join(': ')
  const rest = Object.entries(details ?? {}).map(([name, value]) => `${name}=${shown(value)}`)
  return [error, ...rest].filter(part => part !== '').join('; ')
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
