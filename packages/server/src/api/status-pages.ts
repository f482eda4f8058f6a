import {
  ApiError,
  historyDays,
  type StatusPage,
  type StatusPageSummary,
  type StatusPageWrite,
  statusPageRoutes,
} from '@watchpost/contract'
import {
  ConflictError,
  ConstraintError,
  deleteStatusPage,
  insertStatusPage,
  pageAssignments,
  type StatusPageRow,
  type Step,
  statusPageById,
  statusPageBySlug,
  statusPageColumns,
  updateStatusPage,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { assignmentView } from './assignments.ts'
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

  getStatusPage: found({
    find: findPage,
    version: page => page.version,
    handle: ({ context }, page) => pageView(context, page),
  }),

  async createStatusPage({ body, caller, context }) {
    const id = await takeId(context.db, 'status_page')
    const now = context.now()
    const row = newPage({ team_id: caller.team_id, id }, pageColumns(body, defaults), now)
    await refuseTakenSlug(context, row)
    await slugIsFree(() => commitWithinPlan(context, caller.team_id, 'status_pages', insertPage(row)))
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
      await context.db.commit(removePage({ team_id, id }))
      return undefined
    },
  }),
}

export const newPage = (key: { team_id: number; id: number }, columns: PageColumns, now: number): StatusPageRow => ({
  ...key,
  ...columns,
  version: 1,
  created_at: now,
  updated_at: now,
  managed_by: null,
})

export function insertPage({ managed_by: _, ...params }: StatusPageRow): Step {
  return { query: insertStatusPage, params, expect: 1 }
}

/** If nobody has written the page since it was read. */
export function updatePage({ created_at: _, managed_by: __, ...params }: StatusPageRow): Step {
  return { query: updateStatusPage, params, expect: 1 }
}

export function removePage({ team_id, id }: { team_id: number; id: number }): Step[] {
  return deleteStatusPage.map(query => ({ query, params: { team_id, id } }))
}

export const slugTaken = { slug: 'is taken; choose another' }

interface OfPage {
  params: { id: string }
  caller: UserCaller
  context: Context
}

export async function findPage({ params, caller, context }: OfPage): Promise<StatusPageRow | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : context.db.one(statusPageById, { team_id: caller.team_id, id })
}

export type PageColumns = Pick<
  StatusPageRow,
  'slug' | 'title' | 'description' | 'is_public' | 'language' | 'show_history_days' | 'theme'
>

export const defaults: Omit<PageColumns, 'slug' | 'title'> = {
  description: null,
  is_public: 1,
  language: 'en',
  show_history_days: 90,
  theme: JSON.stringify({ primary_color: '#10b981', layout: 'modern-light' }),
}

/** @param before what stays where the body is silent: the defaults, or the page as it is */
export function pageColumns(body: Partial<StatusPageWrite>, before: Partial<PageColumns>): PageColumns {
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
  await refuseTakenSlug(context, row)
  try {
    await slugIsFree(() => context.db.commit([updatePage(row)]))
    return pageView(context, row)
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
  }
  const current = await context.db.one(statusPageById, { team_id: page.team_id, id: page.id })
  if (current === undefined) throw new ApiError('not_found', 'Not found')
  return change(context, current, body, before, attempt + 1)
}

async function refuseTakenSlug(context: Context, page: { id: number; slug: string }): Promise<void> {
  const other = await context.db.one(statusPageBySlug, { slug: page.slug })
  if (other !== undefined && other.id !== page.id) refuse(slugTaken)
}

/** Two that take a free slug at the same moment: the key of the table decides. */
async function slugIsFree<T>(commit: () => Promise<T>): Promise<T> {
  try {
    return await commit()
  } catch (error) {
    if (error instanceof ConstraintError && error.query.startsWith('statusPage.')) refuse(slugTaken)
    if (error instanceof ConflictError && error.query === insertStatusPage.name) refuse(slugTaken)
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
    managed_by: page.managed_by,
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
    managed_by: row.managed_by,
  }
}
