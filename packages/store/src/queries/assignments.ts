import { query } from './query.ts'

export interface AssignmentRow {
  monitor_id: number
  name: string
  display_name: string | null
  group_name: string
  order_index: number
  show_uptime: number
  show_response_time: number
}

export const assignmentColumns = {
  monitor_id: 'a.monitor_id',
  name: 'm.name',
  display_name: 'a.display_name',
  group_name: 'a.group_name',
  order_index: 'a.order_index',
  show_uptime: 'a.show_uptime',
  show_response_time: 'a.show_response_time',
}
export const assignmentsFrom = 'page_monitors a join monitors m on m.team_id = a.team_id and m.id = a.monitor_id'

const shown = Object.values(assignmentColumns).join(', ')

export const pageAssignments = query<AssignmentRow>(
  'assignment.ofPage',
  `select ${shown} from ${assignmentsFrom}
   where a.team_id = @team_id and a.page_id = @page_id
   order by a.order_index, a.monitor_id`,
)

export const assignmentsOfTeam = query<AssignmentRow & { page_id: number }>(
  'assignment.ofTeam',
  `select a.page_id, ${shown} from ${assignmentsFrom}
   where a.team_id = @team_id order by a.page_id, a.order_index, a.monitor_id`,
)

export const assignmentOf = query<AssignmentRow>(
  'assignment.byMonitor',
  `select ${shown} from ${assignmentsFrom}
   where a.team_id = @team_id and a.page_id = @page_id and a.monitor_id = @monitor_id`,
)

/** Assigned monitors that may be shown, with what is known of them (specification 2.3, rule 1). */
export type ShownMonitorRow = AssignmentRow & {
  status: string
  response_time_ms: number | null
  last_check_at: number | null
  interval_s: number
  timeout_s: number
}
export const shownMonitors = query<ShownMonitorRow>(
  'assignment.shown',
  `select ${shown},
     s.status, s.response_time_ms, s.last_check_at, m.interval_s, m.timeout_s
   from page_monitors a
   join monitors m on m.team_id = a.team_id and m.id = a.monitor_id and m.is_active = 1
   join monitor_states s on s.team_id = a.team_id and s.monitor_id = a.monitor_id
   where a.team_id = @team_id and a.page_id = @page_id
   order by a.order_index, a.monitor_id`,
)

/** Only a monitor that is there, and stays until this is written, so that none is left on a page it was deleted from. */
export const assignMonitor = query(
  'assignment.put',
  `insert into page_monitors (team_id, page_id, monitor_id, display_name, group_name, order_index, show_uptime,
     show_response_time)
   select m.team_id, cast(@page_id as bigint), m.id, cast(@display_name as text), cast(@group_name as text),
     cast(@order_index as bigint), cast(@show_uptime as smallint), cast(@show_response_time as smallint)
   from monitors m where m.team_id = @team_id and m.id = @monitor_id /*postgres: for key share*/
   on conflict (team_id, page_id, monitor_id) do update set
     display_name = excluded.display_name, group_name = excluded.group_name, order_index = excluded.order_index,
     show_uptime = excluded.show_uptime, show_response_time = excluded.show_response_time
   returning monitor_id`,
)

/** Compare-and-swap: of two changes at once, the second is made of what the first has left. */
export const updateAssignment = query(
  'assignment.update',
  `update page_monitors set display_name = @display_name, group_name = @group_name, order_index = @order_index,
     show_uptime = @show_uptime, show_response_time = @show_response_time
   where team_id = @team_id and page_id = @page_id and monitor_id = @monitor_id
     and display_name is not distinct from cast(@was_display_name as text) and group_name = @was_group_name
     and order_index = @was_order_index and show_uptime = @was_show_uptime
     and show_response_time = @was_show_response_time`,
)

export const unassignMonitor = query(
  'assignment.delete',
  'delete from page_monitors where team_id = @team_id and page_id = @page_id and monitor_id = @monitor_id',
)
