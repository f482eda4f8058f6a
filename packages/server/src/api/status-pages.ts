import {
  ApiError,
  type Assignment,
  historyDays,
  type StatusPage,
  type StatusPageSummary,
  type StatusPageWrite,
  statusPageRoutes,
} from '@watchpost/contract'
import {
  type AssignmentRow,
  assignMonitor,
  ConstraintError,
  deleteStatusPage,
  insertStatusPage,
  monitorById,
  pageAssignments,
  type StatusPageRow,
  statusPageById,
  statusPageColumns,
  unassignMonitor,
  updateStatusPage,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { pathId, takeId } from './ids.ts'
import { commitWithinPlan } from './plan-room.ts'
import { iso } from './time.ts'

export const statusPageHandlers: Handlers<typeof statusPageRoutes> = {
  async listStatusPages({ query, caller, context }) {
    const { rows, total } = await listRows<StatusPageRow & { monitor_count: number }>(context.db, query, {
      route: statusPageRoutes.listStatusPages,
      name: 'statusPage.list',
      columns: statusPageColumns,
      from: 'status_pages p',
      where: 'p.team_id = @team_id',
      params: { team_id: caller.team_id },
    })
    return { rows: rows.map(summary), total }
  },

  getStatusPage: found({ find: findPage, handle: ({ context }, page) => pageView(context, page) }),

  async createStatusPage({ body, caller, context }) {
    const id = await takeId(context.db, 'status_page')
    const now = context.now()
    const row = {
      team_id: caller.team_id,
      id,
      ...pageColumns(body, defaults),
      version: 1,
      created_at: now,
      updated_at: now,
    }
    const [inserted] = await slugIsFree(() =>
      commitWithinPlan(context, caller.team_id, 'status_pages', { query: insertStatusPage, params: row }),
    )
    if (inserted?.length === 0) refuse(slugTaken)
    return pageView(context, row)
  },

  replaceStatusPage: found({
    find: findPage,
    handle: ({ body, context }, page) => change(context, page, body, () => defaults),
  }),

  updateStatusPage: found({
    find: findPage,
    handle: ({ body, context }, page) => change(context, page, body, current => current),
  }),

  deleteStatusPage: found({
    find: findPage,
    async handle({ context }, { team_id, id }) {
      await context.db.commit(deleteStatusPage.map(query => ({ query, params: { team_id, id } })))
      return undefined
    },
  }),

  assignMonitor: found({
    find: findPage,
    async handle({ body, context }, page) {
      const { team_id } = page
      const monitor = await context.db.one(monitorById, { team_id, id: body.monitor_id, hour_from: context.now() })
      if (monitor === undefined) return refuse({ monitor_id: 'no such monitor' }) as never
      const row: AssignmentRow = {
        monitor_id: monitor.id,
        name: monitor.name,
        display_name: body.display_name ?? null,
        group_name: body.group_name ?? 'General',
        order_index: body.order_index ?? 0,
        show_uptime: Number(body.show_uptime ?? true),
        show_response_time: Number(body.show_response_time ?? true),
      }
      const { name: _, ...columns } = row
      await context.db.commit([{ query: assignMonitor, params: { ...columns, team_id, page_id: page.id } }])
      return assignmentView(row)
    },
  }),

  unassignMonitor: found({
    async find(head) {
      const page = await findPage(head)
      const monitor_id = pathId(head.params.monitor_id)
      return page === undefined || monitor_id === undefined ? undefined : { page, monitor_id }
    },
    async handle({ context }, { page, monitor_id }) {
      const params = { team_id: page.team_id, page_id: page.id, monitor_id }
      const [removed] = await context.db.commit([{ query: unassignMonitor, params }])
      if (removed?.length === 0) throw new ApiError('not_found', 'The monitor is not on this page')
      return undefined
    },
  }),
}

const slugTaken = { slug: 'is taken; choose another' }

interface OfPage {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findPage({ params, caller, context }: OfPage): Promise<StatusPageRow | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : context.db.one(statusPageById, { team_id: caller.team_id, id })
}

type PageColumns = Pick<
  StatusPageRow,
  'slug' | 'title' | 'description' | 'is_public' | 'language' | 'show_history_days' | 'theme'
>

const defaults: Omit<PageColumns, 'slug' | 'title'> = {
  description: null,
  is_public: 1,
  language: 'en',
  show_history_days: 90,
  theme: JSON.stringify({ primary_color: '#10b981', layout: 'modern-light' }),
}

/** @param before what stays where the body is silent: the defaults, or the page as it is */
function pageColumns(body: Partial<StatusPageWrite>, before: Partial<PageColumns>): PageColumns {
  const old = before as PageColumns
  return {
    slug: body.slug?.toLowerCase() ?? old.slug,
    title: body.title ?? old.title,
    description: body.description === undefined ? old.description : body.description,
    is_public: body.is_public === undefined ? old.is_public : Number(body.is_public),
    language: body.language ?? old.language,
    show_history_days:
      body.show_history_days === undefined ? old.show_history_days : allowedDays(body.show_history_days),
    theme: JSON.stringify({ ...JSON.parse(old.theme), ...body.theme }),
  }
}

/** Any other number is replaced by 90 (specification 2.1). */
function allowedDays(days: number): number {
  return historyDays.some(allowed => allowed === days) ? days : 90
}

/** Times a change is decided anew because somebody else changed the page in between. */
const attempts = 20

/** @param before what stays where the body is silent, from what the page is: asked again when it is another by now */
async function change(
  context: Context,
  page: StatusPageRow,
  body: Partial<StatusPageWrite>,
  before: (page: StatusPageRow) => Partial<PageColumns>,
  attempt = 1,
): Promise<StatusPage> {
  const row = { ...page, ...pageColumns(body, before(page)), updated_at: context.now() }
  const { created_at: _, ...params } = row
  const [updated] = await slugIsFree(() => context.db.commit([{ query: updateStatusPage, params }]))
  if (updated?.length !== 0) return pageView(context, row)

  const { team_id, id } = page
  const current = await context.db.one(statusPageById, { team_id, id })
  if (current === undefined) throw new ApiError('not_found', 'Not found')
  // Nothing else has changed, so it was the slug that stood in the way.
  if (current.version === page.version || attempt === attempts) return refuse(slugTaken) as never
  return change(context, current, body, before, attempt + 1)
}

/** Two that take a free slug at the same moment: the key of the table decides. */
async function slugIsFree<T>(commit: () => Promise<T>): Promise<T> {
  try {
    return await commit()
  } catch (error) {
    if (error instanceof ConstraintError) refuse(slugTaken)
    throw error
  }
}

async function pageView(context: Context, page: StatusPageRow): Promise<StatusPage> {
  const monitors = await context.db.all(pageAssignments, { team_id: page.team_id, page_id: page.id })
  return {
    id: page.id,
    slug: page.slug,
    title: page.title,
    description: page.description,
    is_public: page.is_public === 1,
    language: page.language,
    show_history_days: page.show_history_days,
    theme: JSON.parse(page.theme),
    monitors: monitors.map(assignmentView),
    created_at: iso(page.created_at),
    updated_at: iso(page.updated_at),
  }
}

function summary(row: StatusPageRow & { monitor_count: number }): StatusPageSummary {
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    is_public: row.is_public === 1,
    show_history_days: row.show_history_days,
    language: row.language,
    theme: JSON.parse(row.theme),
    monitor_count: row.monitor_count,
  }
}

function assignmentView(row: AssignmentRow): Assignment {
  return { ...row, show_uptime: row.show_uptime === 1, show_response_time: row.show_response_time === 1 }
}
