import {
  ApiError,
  type FieldErrors,
  type Incident,
  type IncidentPatch,
  type IncidentSummary,
  type IncidentUpdate,
  incidentRoutes,
} from '@watchpost/contract'
import {
  affectsMonitor,
  ConflictError,
  deleteIncident,
  type IncidentRow,
  incidentById,
  incidentColumns,
  monitorsAmong,
  openAutomaticIncident,
  pagesAmong,
  updatesOfIncident,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { applied, type IncidentSettings, resolvedAt, withDefaults } from '../domain/incident.ts'
import { found, type Handlers, type UserCaller } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { refuse } from '../http/validate.ts'
import { pathId, takeId } from './ids.ts'
import { changeSteps, createSteps, type KeptIncident, newIncident, updateIdOf, withLinks } from './incident-steps.ts'
import { iso, isoOrNull } from './time.ts'

export const incidentHandlers: Handlers<typeof incidentRoutes> = {
  async listIncidents({ query, caller, context }) {
    const { team_id } = caller
    const { monitor_id, ...asked } = query
    const { rows, total } = await listRows<IncidentRow>(context.db, asked, {
      route: incidentRoutes.listIncidents,
      name: 'incident.list',
      columns: columnsByName(incidentColumns),
      from: 'incidents',
      where: monitor_id === undefined ? 'team_id = @team_id' : `team_id = @team_id and ${affectsMonitor}`,
      params: monitor_id === undefined ? { team_id } : { team_id, monitor_id: Number(monitor_id) },
      order: '-started_at,-id',
    })
    return { rows: (await withLinks(context.db, team_id, rows)).map(summary), total }
  },

  getIncident: found({
    find: findIncident,
    version: incident => incident.seq,
    handle: ({ context }, incident) => incidentView(context, incident),
  }),

  async createIncident({ body, caller, context }) {
    const now = context.now()
    await judge(context, caller.team_id, body, now)
    const key = { team_id: caller.team_id, id: await takeId(context.db, 'incident'), auto_monitor_id: null }
    const incident = newIncident(key, withDefaults(body, now), now)
    try {
      await context.db.commit(createSteps(incident))
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      // A monitor or a page went away in between: said by its field.
      await judge(context, caller.team_id, body, now)
      throw error
    }
    context.eventCommitted()
    return incidentView(context, incident)
  },

  replaceIncident: found({
    find: findIncident,
    async handle({ body, context }, incident) {
      const after = await change(context, incident, body, ({ created_at }) => withDefaults(body, created_at))
      return incidentView(context, after)
    },
  }),

  updateIncident: found({
    find: findIncident,
    async handle({ body, context }, incident) {
      return incidentView(context, await change(context, incident, body, before => applied(body, before)))
    },
  }),

  deleteIncident: found({
    find: findIncident,
    async handle({ context }, { team_id, id }) {
      await context.db.commit(deleteIncident.map(query => ({ query, params: { team_id, id } })))
      return undefined
    },
  }),

  addIncidentUpdate: found({
    find: findIncident,
    async handle({ body, context }, incident) {
      const { message, status } = body
      const moved = status === undefined ? {} : { status }
      const after = await change(context, incident, moved, before => applied(moved, before), message)
      return { id: after.seq, message, status: after.status, created_at: iso(after.updated_at) }
    },
  }),
}

interface OfIncident {
  params: { id: string }
  caller: UserCaller
  context: Context
}

async function findIncident({ params, caller, context }: OfIncident): Promise<KeptIncident | undefined> {
  const id = pathId(params.id)
  return id === undefined ? undefined : incidentOf(context, caller.team_id, id)
}

async function incidentOf(context: Context, team_id: number, id: number): Promise<KeptIncident | undefined> {
  const row = await context.db.one(incidentById, { team_id, id })
  return row === undefined ? undefined : (await withLinks(context.db, team_id, [row]))[0]
}

/** Of two whose clocks differ a little, the client's may be ahead. */
const clockToleranceMs = 60_000

/** What the schema cannot say: monitors and pages are the team's own, and nothing starts in the future. */
async function judge(context: Context, team_id: number, body: IncidentPatch, now: number): Promise<void> {
  const { monitor_ids = [], status_page_ids = [], started_at } = body
  const [monitors, pages] = await Promise.all([
    context.db.all(monitorsAmong, { team_id, ids: monitor_ids }),
    context.db.all(pagesAmong, { team_id, ids: status_page_ids }),
  ])
  const errors: FieldErrors = {}
  const missing = (ids: number[], there: { id: number }[]) => ids.filter(id => !there.some(row => row.id === id))
  const noMonitors = missing(monitor_ids, monitors)
  if (noMonitors.length > 0) errors.monitor_ids = `no such monitor: ${noMonitors.join(', ')}`
  const noPages = missing(status_page_ids, pages)
  if (noPages.length > 0) errors.status_page_ids = `no such status page: ${noPages.join(', ')}`
  // Written so that a time that cannot be read is refused as well.
  if (started_at !== undefined && !(Date.parse(started_at) <= now + clockToleranceMs)) {
    errors.started_at = 'must not be in the future'
  }
  refuse(errors)
}

/** Times a change is decided anew because another came in between. */
const attempts = 20

/**
 * Changes an incident, says so in an event, and answers what it is then.
 * @param settle what it becomes, from what it is: asked again when somebody else was faster
 * @param message what its timeline says of it, if anything
 */
async function change(
  context: Context,
  found: KeptIncident,
  body: IncidentPatch,
  settle: (before: KeptIncident) => IncidentSettings,
  message: string | null = null,
): Promise<KeptIncident> {
  const { team_id, id } = found
  let before = found
  for (let attempt = 1; ; attempt++) {
    const now = context.now()
    await judge(context, team_id, body, now)
    const settings = settle(before)
    const after = {
      ...before,
      ...settings,
      seq: updateIdOf(before),
      resolved_at: resolvedAt(settings, before.resolved_at, now),
      updated_at: now,
    }
    await refuseSecond(context, before, after)
    try {
      await context.db.commit(changeSteps(before, after, message))
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === attempts) throw error
      const current = await incidentOf(context, team_id, id)
      if (current === undefined) throw new ApiError('not_found', 'Not found')
      before = current
      continue
    }
    context.eventCommitted()
    return after
  }
}

/** @throws {ApiError} conflict where reopening would give a monitor a second automatic incident */
async function refuseSecond(context: Context, before: KeptIncident, after: KeptIncident): Promise<void> {
  const { team_id, auto_monitor_id } = before
  if (auto_monitor_id === null || before.resolved_at === null || after.resolved_at !== null) return
  const other = await context.db.one(openAutomaticIncident, { team_id, monitor_id: auto_monitor_id })
  if (other !== undefined) {
    throw new ApiError('conflict', `Incident ${other.id} of the same monitor is open; this one cannot be reopened`)
  }
}

async function incidentView(context: Context, incident: KeptIncident): Promise<Incident> {
  const { team_id, id } = incident
  const updates = await context.db.all(updatesOfIncident, { team_id, incident_id: id })
  return {
    ...summary(incident),
    updates: updates.map(update => ({
      ...update,
      status: update.status as IncidentUpdate['status'],
      created_at: iso(update.created_at),
    })),
  }
}

function summary(incident: KeptIncident): IncidentSummary {
  return {
    id: incident.id,
    title: incident.title,
    description: incident.description,
    status: incident.status,
    severity: incident.severity,
    monitor_ids: incident.monitor_ids,
    status_page_ids: incident.status_page_ids,
    started_at: iso(incident.started_at),
    source: incident.source,
    resolved_at: isoOrNull(incident.resolved_at),
    created_at: iso(incident.created_at),
    updated_at: iso(incident.updated_at),
  }
}
