import type { Explanation, RegionSays, StatusChange } from '@watchpost/contract'
import { exactly, milliseconds } from '../../core/format.ts'
import { Badge, Status, type Tone } from '../../ui/badge.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

/** What each region says, what the latest changes were decided on, and how to look oneself. */
export function Decided({ explanation: { votes, changes, repeat } }: { explanation: Explanation }) {
  if (votes.length === 0 && changes.length === 0 && repeat === null) return null
  return (
    <details className="card section slim">
      <summary>How this is decided</summary>
      <div className="stack">
        {votes.length > 0 && <Votes votes={votes} />}
        {changes.length > 0 && (
          <>
            <h3>Latest changes</h3>
            <ol className="timeline">
              {changes.map(change => (
                <Change key={change.at} change={change} />
              ))}
            </ol>
          </>
        )}
        {repeat !== null && (
          <>
            <h3>To look in the same way from a shell</h3>
            <Copy text={repeat} label="Copy the command" />
          </>
        )}
      </div>
    </details>
  )
}

const tones: Record<string, Tone> = { up: 'good', down: 'bad', unsure: 'warn' }

function Votes({ votes }: { votes: RegionSays[] }) {
  return (
    <Table
      label="What its regions say"
      rows={votes.map(vote => ({ id: vote.region, ...vote }))}
      columns={[
        { name: 'Region', cell: ({ region }) => <span className="main">{region}</span> },
        { name: 'Says', cell: ({ vote }) => <Badge tone={tones[vote] ?? 'quiet'}>{vote}</Badge> },
        { name: 'Failures in a row', end: true, minor: true, cell: ({ failures }) => failures },
        { name: 'Probe', minor: true, cell: ({ probe }) => probe ?? '–' },
        { name: 'Last look', end: true, cell: ({ last_check_at }) => <Ago at={last_check_at} /> },
      ]}
    />
  )
}

function Change({ change: { at, old_status, new_status, attempts, votes } }: { change: StatusChange }) {
  return (
    <li>
      <Badge>{new_status}</Badge>{' '}
      <span className="quiet">
        <Ago at={at} />, {old_status} before
      </span>
      {votes.length > 0 && <p className="quiet">{votes.map(({ region, vote }) => `${region}: ${vote}`).join(', ')}</p>}
      {attempts.length > 0 && (
        <ul className="plain-list">
          {attempts.map(attempt => (
            <li key={attempt.run_id} className="beside">
              <Status word={attempt.status} note={attempt.error_kind ?? milliseconds(attempt.response_time_ms)} />
              <span className="quiet">
                {exactly(attempt.checked_at)}
                {attempt.probe !== null && `, ${attempt.probe}`}
                {attempt.region !== null && ` (${attempt.region})`}
              </span>
              {attempt.error_message !== null && <span>{attempt.error_message}</span>}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
