import { query } from './query.ts'

export interface OutageRow {
  team_id: number
  monitor_id: number
  started_at: number
  error_message: string | null
  /** When people were told last. */
  alerted_at: number
  remind_at: number | null
}

export const outageOfMonitor = query<OutageRow>(
  'outage.ofMonitor',
  'select * from outages where team_id = @team_id and monitor_id = @monitor_id',
)

/** One that was not over when the monitor was paused goes on. */
export const beginOutage = query(
  'outage.begin',
  `insert into outages (team_id, monitor_id, started_at, error_message, alerted_at, remind_at)
   values (@team_id, @monitor_id, @started_at, @error_message, @now, @remind_at)
   on conflict (team_id, monitor_id) do update
   set error_message = excluded.error_message, alerted_at = excluded.alerted_at, remind_at = excluded.remind_at`,
)

export const endOutage = query(
  'outage.end',
  'delete from outages where team_id = @team_id and monitor_id = @monitor_id',
)

/** After a change of the monitor's settings; null for no reminders. */
export const rescheduleReminder = query(
  'outage.reschedule',
  `update outages set remind_at = alerted_at + cast(@interval_ms as bigint)
   where team_id = @team_id and monitor_id = @monitor_id`,
)

export type DueReminder = OutageRow & { remind_at: number; name: string; options: string; status: string }
export const dueReminders = query<DueReminder>(
  'outage.due',
  `select r.team_id, r.monitor_id, r.started_at, r.error_message, r.alerted_at, r.remind_at, m.name, m.options, s.status
   from outages r
   join monitors m on m.team_id = r.team_id and m.id = r.monitor_id
   join monitor_states s on s.team_id = r.team_id and s.monitor_id = r.monitor_id
   where r.remind_at <= @now order by r.remind_at limit @limit`,
)

/** Compare-and-swap: of two replicas that saw it due, one reminds; nobody does once it is over or put off. */
export const remindOutage = query(
  'outage.remind',
  `update outages set remind_at = cast(@next_at as bigint), alerted_at = @now
   where team_id = @team_id and monitor_id = @monitor_id and remind_at = @seen`,
)

/** Nobody was told. */
export const putOffReminder = query(
  'outage.putOff',
  `update outages set remind_at = cast(@next_at as bigint)
   where team_id = @team_id and monitor_id = @monitor_id and remind_at = @seen`,
)

export const silenceOutage = query(
  'outage.silence',
  `update outages set remind_at = null
   where team_id = @team_id and monitor_id = @monitor_id and remind_at = @seen`,
)
