import { query } from './query.ts'

export interface UsageRow {
  quota: string
  used: number
  from_top_up: number
  alerted: number
}

export const usageOfApp = query<UsageRow>(
  'usage.ofApp',
  `select quota, used, from_top_up, alerted from usage
   where team_id = @team_id and app_id = @app_id and period = @period`,
)

export interface TopUpRow {
  quota: string
  balance: number
  last_amount: number
  low_told: number
}

export const topUpsOfApp = query<TopUpRow>(
  'topUp.ofApp',
  'select quota, balance, last_amount, low_told from top_ups where team_id = @team_id and app_id = @app_id',
)

/** The first of a month; of an app that was deleted meanwhile nothing is counted. */
export const startUsage = query(
  'usage.start',
  `insert into usage (team_id, app_id, period, quota, used, from_top_up, alerted)
   select a.team_id, a.id, cast(@period as text), cast(@quota as text), 0, 0, 0 from apps a
   where a.team_id = @team_id and a.id = @app_id
   on conflict (team_id, app_id, period, quota) do nothing`,
)

/**
 * Counts what was decided, if what it was decided by still holds: nobody has used so much meanwhile that the decision
 * would be another, and nobody has told of a threshold.
 */
export const addUsage = query(
  'usage.add',
  `update usage set used = used + @amount, from_top_up = from_top_up + @from_top_up, alerted = @alerted
   where team_id = @team_id and app_id = @app_id and period = @period and quota = @quota
     and used >= @used_from and used <= @used_to and alerted = @alerted_before`,
)

/** Takes from the balance, if it is still enough, and no other top-up came in between. */
export const drawTopUp = query(
  'topUp.draw',
  `update top_ups set balance = balance - @amount, low_told = @low_told
   where team_id = @team_id and app_id = @app_id and quota = @quota
     and balance >= @balance_from and balance <= @balance_to and last_amount = @last_amount
     and low_told = @low_told_before`,
)

/** Adds to the balance of an app that is there; changes nothing beyond `most`. */
export const addTopUp = query<{ balance: number }>(
  'topUp.add',
  `insert into top_ups (team_id, app_id, quota, balance, last_amount, low_told)
   select a.team_id, a.id, cast(@quota as text), cast(@amount as bigint), cast(@amount as bigint), 0 from apps a
   where a.team_id = @team_id and a.id = @app_id
   on conflict (team_id, app_id, quota) do update
     set balance = top_ups.balance + excluded.balance, last_amount = excluded.last_amount, low_told = 0
     where top_ups.balance + excluded.balance <= @most
   returning balance`,
)

export interface TeamQuotaRow {
  quota: string
  quota_limit: number | null
}

export const quotasOfTeam = query<TeamQuotaRow>(
  'teamQuota.ofTeam',
  'select quota, quota_limit from team_quotas where team_id = @team_id',
)

export const setTeamQuota = query(
  'teamQuota.set',
  `insert into team_quotas (team_id, quota, quota_limit) values (@team_id, @quota, @quota_limit)
   on conflict (team_id, quota) do update set quota_limit = excluded.quota_limit`,
)

/** Back to what the plan says. */
export const clearTeamQuota = query(
  'teamQuota.clear',
  'delete from team_quotas where team_id = @team_id and quota = @quota',
)
