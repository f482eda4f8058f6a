import {
  ApiError,
  type FieldErrors,
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
  statusPageByDomain,
  statusPageById,
  statusPageBySlug,
  statusPageColumns,
  updateStatusPage,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { mayActAs } from '../domain/roles.ts'
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
    requireForDomain(caller, body.custom_domain ?? null, null)
    const id = await takeId(context.db, 'status_page')
    const now = context.now()
    const row = newPage({ team_id: caller.team_id, id }, pageColumns(body, defaults), now)
    await refuseTaken(context, row)
    await isFree(context, row, () => commitWithinPlan(context, caller.team_id, 'status_pages', insertPage(row)))
    await domainsChanged(context, null, row)
    return pageView(context, row)
  },

  replaceStatusPage: found({
    find: findPage,
    async handle({ body, caller, context }, page) {
      requireForDomain(caller, body.custom_domain ?? null, page.custom_domain)
      return change(context, page, body, () => defaults)
    },
  }),

  updateStatusPage: found({
    find: findPage,
    async handle({ body, caller, context }, page) {
      if (body.custom_domain !== undefined) requireForDomain(caller, body.custom_domain, page.custom_domain)
      return change(context, page, body, current => current)
    },
  }),

  deleteStatusPage: found({
    find: findPage,
    async handle({ context }, page) {
      await context.db.commit(removePage(page))
      await domainsChanged(context, page, null)
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

/** Last the subscribers, by whom their messages are found. */
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
  'slug' | 'title' | 'description' | 'is_public' | 'language' | 'show_history_days' | 'theme' | 'custom_domain' | 'logo'
>

export const defaults: Omit<PageColumns, 'slug' | 'title'> = {
  description: null,
  is_public: 1,
  language: 'en',
  show_history_days: 90,
  theme: JSON.stringify({ primary_color: '#10b981', layout: 'modern-light' }),
  custom_domain: null,
  logo: null,
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
    custom_domain: body.custom_domain === undefined ? old.custom_domain : (body.custom_domain?.toLowerCase() ?? null),
    logo: body.logo === undefined ? old.logo : body.logo,
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
  await refuseTaken(context, row)
  try {
    await isFree(context, row, () => context.db.commit([updatePage(row)]))
    await domainsChanged(context, page, row)
    return pageView(context, row)
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error
  }
  const current = await context.db.one(statusPageById, { team_id: page.team_id, id: page.id })
  if (current === undefined) throw new ApiError('not_found', 'Not found')
  return change(context, current, body, before, attempt + 1)
}

type Named = Pick<StatusPageRow, 'id' | 'slug' | 'custom_domain'>

async function refuseTaken(context: Context, page: Named): Promise<void> {
  refuse(await takenOf(context, page, other => other.id !== page.id))
}

/** What of a page's names another has, or the server itself; @param isOther whether a page is another, and stays */
export async function takenOf(
  context: Context,
  { slug, custom_domain }: Pick<Named, 'slug' | 'custom_domain'>,
  isOther: (page: StatusPageRow) => boolean,
): Promise<FieldErrors> {
  const has = (page: StatusPageRow | undefined) => page !== undefined && isOther(page)
  const errors: FieldErrors = {}
  if (has(await context.db.one(statusPageBySlug, { slug }))) Object.assign(errors, slugTaken)
  if (custom_domain !== null) {
    if (isOwnHost(context, custom_domain)) errors.custom_domain = 'is a name of this server itself'
    else if (has(await context.db.one(statusPageByDomain, { custom_domain }))) {
      errors.custom_domain = 'is the domain of another page'
    }
  }
  return errors
}

/** Whoever took one of these would have the site's visitors. */
function isOwnHost({ config, siteUrl }: Context, domain: string): boolean {
  const { api, otlp, rum, site } = config.hosts
  const own = [api, otlp, rum, site].map(host => host?.replace(/:\d+$/, ''))
  return [...own, new URL(siteUrl()).hostname].includes(domain)
}

/** A domain is the team's face: setting it, or taking it away, is for owners and admins. */
export function requireForDomain({ role }: UserCaller, domain: string | null, before: string | null): void {
  if ((domain?.toLowerCase() ?? null) === before || mayActAs(role, 'admin')) return
  throw new ApiError('forbidden', `Your role is ${role}; the custom domain of a page needs admin or above`)
}

type Domained = Pick<StatusPageRow, 'custom_domain'>

/** Which names are pages, and which pages, is held in memory. */
export async function domainsChanged(
  { domains }: Context,
  before: Domained | null,
  after: Domained | null,
): Promise<void> {
  if (before?.custom_domain != null || after?.custom_domain != null) await domains.read()
}

/** Two that take a free slug or domain at the same moment: the keys of the table decide. */
async function isFree<T>(context: Context, page: Named, commit: () => Promise<T>): Promise<T> {
  try {
    return await commit()
  } catch (error) {
    const byKey = error instanceof ConstraintError && error.query.startsWith('statusPage.')
    if (byKey || (error instanceof ConflictError && error.query === insertStatusPage.name)) {
      await refuseTaken(context, page)
      refuse(slugTaken)
    }
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
    custom_domain: page.custom_domain,
    logo: page.logo,
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
