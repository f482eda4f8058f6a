import { optionsSchema } from '@watchpost/checks/validate'
import {
  ApiError,
  type ApplyWrite,
  type ChangePlan,
  checkTypes,
  type FieldErrors,
  fileSchema,
  type PlanWrite,
  type planRoutes,
  type StatusPageItem,
} from '@watchpost/contract'
import { ConflictError, ConstraintError, type StatusPageRow } from '@watchpost/store'
import type { Context } from '../context.ts'
import { planToken } from '../domain/plan.ts'
import { mayActAs } from '../domain/roles.ts'
import type { Handlers, UserCaller } from '../http/handler.ts'
import { refuse } from '../http/validate.ts'
import { backtest } from './backtest.ts'
import { mailableBy } from './mailable.ts'
import { know } from './maintenance.ts'
import { monitorErrors } from './monitors.ts'
import { draftChannels } from './plan-channels.ts'
import { type Draft, Drafting, shownChange } from './plan-draft.ts'
import { exported } from './plan-export.ts'
import { draftMaintenance } from './plan-maintenance.ts'
import { draftMonitors } from './plan-monitors.ts'
import { draftPages } from './plan-pages.ts'
import { References } from './plan-references.ts'
import { readState } from './plan-state.ts'
import { type Drafts, prepare } from './plan-steps.ts'
import { domainsChanged, requireForDomain, takenOf } from './status-pages.ts'

export const planHandlers: Handlers<typeof planRoutes> = {
  getFileSchema: async () => fileSchema(Object.fromEntries(checkTypes.map(type => [type, optionsSchema(type)]))),

  exportResources: async ({ caller, context }) => exported(await readState(context, caller.team_id), context),

  planResources: {
    judge: judgeItems,
    handle: async ({ body, caller, context }) => shownPlan(await decide(context, caller.team_id, body)),
  },

  applyResources: {
    judge: judgeItems,
    handle: ({ body, caller, context }) => apply(context, caller, body),
  },

  backtestResources: { judge: judgeItems, handle: backtest },
}

/** What can be said of monitors without looking at those there are; asked although other things may be wrong. */
function judgeItems(body: Partial<PlanWrite>): FieldErrors {
  const errors: FieldErrors = {}
  const { monitors } = (body.resources ?? {}) as { monitors?: unknown }
  if (!Array.isArray(monitors)) return errors
  for (const [index, item] of monitors.entries()) {
    if (typeof item !== 'object' || item === null) continue
    const wrong = monitorErrors(item, undefined)
    for (const [field, message] of Object.entries(wrong)) errors[`resources.monitors.${index}.${field}`] = message
  }
  return errors
}

interface Decision {
  source: string
  token: string
  drafts: Drafts
  /** What is another afterwards. */
  changing: Draft[]
  unchanged: number
}

/** What files lead to, from what is there now. */
async function decide(context: Context, team_id: number, asked: PlanWrite): Promise<Decision> {
  const { resources } = asked
  const state = await readState(context, team_id)
  const drafting = new Drafting(team_id, state, asked)
  const monitors = draftMonitors(context, drafting, resources.monitors ?? [])
  const references = new References(state, monitors)
  const { status_pages: pages = [], channels = [] } = resources
  const taken = await takenOfPages(context, team_id, pages)
  const drafts: Drafts = {
    monitors,
    status_pages: draftPages(drafting, references, pages, taken),
    channels: draftChannels(context, drafting, references, channels, await mailableBy(context, team_id)),
    maintenance: draftMaintenance(context, drafting, references, resources.maintenance ?? []),
  }
  refuse(drafting.errors)
  const all: Draft[] = Object.values(drafts).flat()
  const changing = all.filter(draft => draft.action !== 'none')
  return {
    source: drafting.source,
    token: planToken(
      text => context.keyring.sign(text, 'plan'),
      team_id,
      drafting.source,
      all.map(draft => draft.stamp),
    ),
    drafts,
    changing,
    unchanged: all.length - changing.length,
  }
}

/** What others have of the names that pages shall have, by slug; a domain moves between pages in two applies. */
async function takenOfPages(
  context: Context,
  team_id: number,
  pages: readonly StatusPageItem[],
): Promise<Map<string, FieldErrors>> {
  const taken = pages.map(async ({ id, slug, custom_domain }): Promise<[string, FieldErrors]> => {
    const names = { slug: slug.toLowerCase(), custom_domain: custom_domain?.toLowerCase() ?? null }
    const isOther = (page: StatusPageRow) => page.team_id !== team_id || (page.slug !== names.slug && page.id !== id)
    return [names.slug, await takenOf(context, names, isOther)]
  })
  return new Map(await Promise.all(taken))
}

function shownPlan(decision: Decision, ids?: ReadonlyMap<Draft, number>): ChangePlan {
  const count = (action: string) => decision.changing.filter(draft => draft.action === action).length
  return {
    source: decision.source,
    applied: ids !== undefined,
    plan_token: decision.token,
    summary: {
      create: count('create'),
      update: count('update'),
      delete: count('delete'),
      adopt: count('adopt'),
      unchanged: decision.unchanged,
    },
    changes: decision.changing.map(draft => {
      const shown = shownChange(draft)
      return { ...shown, id: shown.id ?? ids?.get(draft) ?? null }
    }),
  }
}

/** Times the whole is decided anew because somebody else wrote in between. */
const attempts = 20

async function apply(context: Context, caller: UserCaller, asked: ApplyWrite): Promise<ChangePlan> {
  const { team_id } = caller
  for (let attempt = 1; ; attempt++) {
    const decision = await decide(context, team_id, asked)
    refuseStale(decision, asked)
    if (asked.dry_run === true) return shownPlan(decision)
    if (decision.changing.length === 0) return shownPlan(decision, new Map())
    authorize(decision.drafts, caller)
    const held = touched(decision)
    const applied = await alone(context, held, () => applyOnce(context, caller, asked, held, attempt === attempts))
    if (applied !== undefined) return applied
  }
}

/** @returns undefined where it is to be decided anew */
async function applyOnce(
  context: Context,
  caller: UserCaller,
  asked: ApplyWrite,
  held: readonly number[],
  last: boolean,
): Promise<ChangePlan | undefined> {
  const { team_id } = caller
  // With what results have made of the monitors by now, and others of the rest: it may change more than was allowed.
  const decision = await decide(context, team_id, asked)
  refuseStale(decision, asked)
  authorize(decision.drafts, caller)
  if (touched(decision).some(id => !held.includes(id))) return last ? stale() : undefined
  const prepared = await prepare(context, team_id, decision.source, decision.drafts)
  try {
    context.audit?.count(shownPlan(decision).summary)
    await context.db.commit(prepared.steps)
  } catch (error) {
    prepared.explain(error)
    // Something has changed since it was read: a monitor, a page, or who has a slug.
    const again =
      error instanceof ConflictError || (error instanceof ConstraintError && error.query.startsWith('statusPage.'))
    if (!again) throw error
    return last ? stale() : undefined
  }
  if (prepared.plansMaintenance) await know(context)
  for (const { known, after } of decision.drafts.status_pages) {
    await domainsChanged(context, known?.row ?? null, after ?? null)
  }
  if (prepared.tells) context.eventCommitted()
  return shownPlan(decision, prepared.ids)
}

function stale(): never {
  throw new ApiError('conflict', 'It would change something else by now, since something was changed; make a new plan')
}

function refuseStale({ token }: Decision, { plan_token }: ApplyWrite): void {
  if (plan_token !== undefined && plan_token !== token) stale()
}

/** Role and scope, as single calls ask for them (rulings 16 and 17). */
function authorize(drafts: Drafts, caller: UserCaller): void {
  const { role, scopes } = caller
  const changes = (list: readonly Draft[]) => list.some(draft => draft.action !== 'none')
  if (changes(drafts.channels) && !mayActAs(role, 'admin')) {
    throw new ApiError('forbidden', `Your role is ${role}; changing channels needs admin or above`)
  }
  if (changes(drafts.status_pages) && !scopes.includes('status-pages:write')) {
    throw new ApiError('forbidden', 'This token was made without the scope status-pages:write')
  }
  for (const { action, known, after } of drafts.status_pages) {
    if (action === 'delete') continue
    requireForDomain(caller, after?.custom_domain ?? null, known?.row.custom_domain ?? null)
  }
}

/** Monitors whose state the commit writes: in one order, so that two who hold several do not wait for each other. */
function touched({ drafts }: Decision): number[] {
  const written = drafts.monitors.filter(draft => draft.action === 'update' || draft.action === 'delete')
  return written.flatMap(draft => draft.known?.id ?? []).sort((a, b) => a - b)
}

/** Results of all these monitors wait meanwhile. */
function alone<T>({ results }: Context, ids: readonly number[], work: () => Promise<T>): Promise<T> {
  return ids.reduceRight((inner, id) => () => results.exclusively(id, inner), work)()
}
