import { ApiError, type Assignment, type AssignmentPatch, assignmentRoutes } from '@watchpost/contract'
import {
  type AssignmentRow,
  assignMonitor,
  assignmentColumns,
  assignmentOf,
  assignmentsFrom,
  ConflictError,
  type StatusPageRow,
  type Step,
  unassignMonitor,
  updateAssignment,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { changedMeanwhile } from '../http/request-db.ts'
import { refuse } from '../http/validate.ts'
import { pathId } from './ids.ts'
import { findPage } from './status-pages.ts'

export const assignmentHandlers: Handlers<typeof assignmentRoutes> = {
  listAssignments: found({
    find: findPage,
    async handle({ query, context }, page) {
      const { rows, total } = await listRows<AssignmentRow>(context.db, query, {
        route: assignmentRoutes.listAssignments,
        name: 'assignment.list',
        columns: assignmentColumns,
        from: assignmentsFrom,
        where: 'a.team_id = @team_id and a.page_id = @page_id',
        params: { team_id: page.team_id, page_id: page.id },
        order: 'order_index',
        tie: 'monitor_id',
      })
      return { rows: rows.map(assignmentView), total }
    },
  }),

  assignMonitor: found({
    find: findPage,
    async handle({ body, context }, page) {
      const key = { team_id: page.team_id, page_id: page.id, monitor_id: body.monitor_id }
      try {
        await context.db.commit([{ ...assignment(key, assignmentColumnsOf(body)), expect: 1 }])
      } catch (error) {
        if (error instanceof ConflictError) refuse({ monitor_id: 'no such monitor' })
        throw error
      }
      return read(context, key)
    },
  }),

  updateAssignment: found({
    find: findAssignment,
    async handle({ body, context }, { key, row }) {
      await change(context, key, row, body)
      return read(context, key)
    },
  }),

  unassignMonitor: found({
    find: findAssignment,
    async handle({ context }, { key }) {
      await context.db.commit([{ query: unassignMonitor, params: key }])
      return undefined
    },
  }),
}

/** Puts a monitor on a page, with these settings and no others. */
export const assignment = (key: Key, settings: Settings): Step => ({
  query: assignMonitor,
  params: { ...settings, ...key },
})

/** What a body says of a monitor on a page, every default filled in. */
export const assignmentColumnsOf = (body: AssignmentPatch): Settings => columns(body, defaults)

type Key = { team_id: number; page_id: number; monitor_id: number }

interface OfAssignment {
  params: { id: string; monitor_id: string }
  caller: UserCaller
  context: Context
}

async function findAssignment(head: OfAssignment): Promise<{ key: Key; row: AssignmentRow } | undefined> {
  const page: StatusPageRow | undefined = await findPage(head)
  const monitor_id = pathId(head.params.monitor_id)
  if (page === undefined || monitor_id === undefined) return undefined
  const key = { team_id: page.team_id, page_id: page.id, monitor_id }
  const row = await head.context.db.one(assignmentOf, key)
  return row === undefined ? undefined : { key, row }
}

/** Times a change is made of what somebody else has left meanwhile. */
const attempts = 20

async function change(
  context: Context,
  key: Key,
  row: AssignmentRow,
  body: AssignmentPatch,
  attempt = 1,
): Promise<void> {
  const was = {
    was_display_name: row.display_name,
    was_group_name: row.group_name,
    was_order_index: row.order_index,
    was_show_uptime: row.show_uptime,
    was_show_response_time: row.show_response_time,
  }
  try {
    await context.db.commit([{ query: updateAssignment, params: { ...columns(body, row), ...key, ...was }, expect: 1 }])
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
    const current = await context.db.one(assignmentOf, key)
    if (current === undefined) throw new ApiError('not_found', 'The monitor is not on this page')
    if (context.exact) throw changedMeanwhile()
    return change(context, key, current, body, attempt + 1)
  }
}

async function read(context: Context, key: Key): Promise<Assignment> {
  const row = await context.db.one(assignmentOf, key)
  if (row === undefined) throw new ApiError('not_found', 'The monitor is not on this page')
  return assignmentView(row)
}

export type Settings = Omit<AssignmentRow, 'monitor_id' | 'name'>

const defaults: Settings = {
  display_name: null,
  group_name: 'General',
  order_index: 0,
  show_uptime: 1,
  show_response_time: 1,
}

/** @param before what stays where the body is silent */
function columns(body: AssignmentPatch, before: Settings): Settings {
  const { display_name = before.display_name, group_name = before.group_name, order_index = before.order_index } = body
  return {
    display_name,
    group_name,
    order_index,
    show_uptime: Number(body.show_uptime ?? before.show_uptime),
    show_response_time: Number(body.show_response_time ?? before.show_response_time),
  }
}

export function assignmentView(row: AssignmentRow): Assignment {
  return { ...row, show_uptime: row.show_uptime === 1, show_response_time: row.show_response_time === 1 }
}
