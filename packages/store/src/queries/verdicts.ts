import { query } from './query.ts'

/** A change of a monitor's verdict, and what its regions said then. */
export interface VerdictRow {
  seq: number
  decided_at: number
  old_status: string
  new_status: string
  /** JSON; null for a monitor without regions. */
  votes: string | null
}

export const insertVerdict = query(
  'verdict.insert',
  `insert into verdicts (team_id, monitor_id, seq, decided_at, old_status, new_status, votes)
   values (@team_id, @monitor_id, @seq, @decided_at, @old_status, @new_status, @votes)`,
)

/** The latest first. */
export const verdictsOfMonitor = query<VerdictRow>(
  'verdict.ofMonitor',
  `select seq, decided_at, old_status, new_status, votes from verdicts
   where team_id = @team_id and monitor_id = @monitor_id order by seq desc limit @limit`,
)

export const forgetVerdicts = query(
  'verdict.forget',
  `delete from verdicts where (team_id, monitor_id, seq) in (
     select team_id, monitor_id, seq from verdicts where decided_at < @before limit @limit) returning seq`,
)
