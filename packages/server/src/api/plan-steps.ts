import {
  manageChannels,
  manageMaintenanceWindows,
  manageMonitors,
  manageStatusPages,
  type Query,
  type Step,
  unassignMonitor,
} from '@watchpost/store'
import { rotated, type WebhookSettings } from '../channels/webhook.ts'
import type { Context } from '../context.ts'
import { newWebhookSecret } from '../secrets.ts'
import { assignment } from './assignments.ts'
import * as channels from './channels.ts'
import { type Noun, takeManyIds } from './ids.ts'
import * as maintenance from './maintenance.ts'
import { changeSteps, creationSteps, removalSteps } from './monitor-change.ts'
import type { ChannelDraft } from './plan-channels.ts'
import type { Draft } from './plan-draft.ts'
import type { WindowDraft } from './plan-maintenance.ts'
import type { MonitorDraft } from './plan-monitors.ts'
import type { PageDraft } from './plan-pages.ts'
import type { Target } from './plan-references.ts'
import { roomForChannels, roomWithinPlan } from './plan-room.ts'
import { insertPage, newPage, removePage, updatePage } from './status-pages.ts'

export interface Drafts {
  monitors: MonitorDraft[]
  status_pages: PageDraft[]
  channels: ChannelDraft[]
  maintenance: WindowDraft[]
}

/** One commit, and what follows once it is durable. */
export interface Prepared {
  steps: Step[]
  /** Ids of what is made, by draft. */
  ids: Map<Draft, number>
  tells: boolean
  plansMaintenance: boolean
  /** Says a failure of the commit in other words, where it means something to people. */
  explain(error: unknown): void
}

/** The steps of the single calls, in an order in which each finds what it needs. */
export async function prepare(context: Context, team_id: number, source: string, drafts: Drafts): Promise<Prepared> {
  const now = context.now()
  const ids = new Map<Draft, number>()
  await Promise.all(
    (Object.keys(nouns) as (keyof Drafts)[]).map(async kind => {
      const made = drafts[kind].filter(draft => draft.action === 'create')
      const taken = await takeManyIds(context.db, nouns[kind], made.length)
      for (const [index, draft] of made.entries()) ids.set(draft, taken[index] as number)
    }),
  )
  const idAt = new Map(drafts.monitors.map(draft => [draft.index, ids.get(draft)]))
  const idOf = ({ id, index }: Target): number => (id ?? idAt.get(index)) as number
  const key = (draft: Draft) => ({ team_id, id: ids.get(draft) ?? (draft.stamp.id as number) })

  const removals = await Promise.all(
    drafts.monitors.flatMap(({ action, known }) =>
      action === 'delete' && known !== undefined ? [removalSteps(context, known.row)] : [],
    ),
  )
  const room = await roomWithinPlan(context, team_id, 'status_pages')
  const roomOfChannels = roomForChannels(team_id)
  const makesChannels = drafts.channels.some(draft => draft.action === 'create')
  const windows = drafts.maintenance.filter(draft => draft.action !== 'none')
  const newWindows = windows.filter(draft => draft.action === 'create')
  const makesRoom = newWindows.length > 0 ? await maintenance.makeRoom(context, team_id, now, newWindows.length) : []

  const steps: Step[] = [
    ...(makesChannels ? roomOfChannels.hold : room.hold),
    ...removals.flatMap(each => each.steps),
    ...gone(drafts.status_pages).flatMap(draft => removePage(key(draft))),
    ...gone(drafts.channels).flatMap(draft => channels.removal(key(draft))),
    ...gone(drafts.maintenance).flatMap(draft => maintenance.deletion(team_id, key(draft).id)),
    ...drafts.monitors.flatMap(draft => monitorSteps(draft, key(draft), now)),
    ...drafts.status_pages.flatMap(draft => pageSteps(draft, key(draft), room.before, idOf, now)),
    ...drafts.channels.flatMap(draft => channelSteps(context, draft, key(draft), roomOfChannels.before, idOf, now)),
    ...makesRoom,
    ...windows.flatMap(draft => windowSteps(draft, key(draft), idOf, now)),
    ...(windows.length > 0 ? maintenance.changed(team_id) : []),
    ...(Object.keys(nouns) as (keyof Drafts)[]).flatMap(kind => managing(kind, drafts[kind], source, key)),
  ]
  const hastens = drafts.channels.some(draft => draft.action === 'update')
  return {
    steps,
    ids,
    tells: hastens || removals.some(each => each.tells),
    plansMaintenance: windows.length > 0,
    explain(error) {
      room.explain(error)
      roomOfChannels.explain(error)
    },
  }
}

const nouns: Record<keyof Drafts, Noun> = {
  monitors: 'monitor',
  status_pages: 'status_page',
  channels: 'channel',
  maintenance: 'maintenance_window',
}
const manage: Record<keyof Drafts, Query> = {
  monitors: manageMonitors,
  status_pages: manageStatusPages,
  channels: manageChannels,
  maintenance: manageMaintenanceWindows,
}

type Key = { team_id: number; id: number }

const gone = <D extends Draft>(drafts: readonly D[]): D[] => drafts.filter(draft => draft.action === 'delete')

/** Whether more changes than who manages it. */
const changes = ({ action, properties }: Draft): boolean =>
  action === 'update' && properties.some(({ path }) => path !== 'managed_by')

function monitorSteps(draft: MonitorDraft, key: Key, now: number): Step[] {
  const { action, after, known } = draft
  if (after === undefined) return []
  if (action === 'create') return creationSteps(key, after, now)
  return changes(draft) && known !== undefined ? changeSteps(known.row, after, now) : []
}

function pageSteps(draft: PageDraft, key: Key, room: Step[], idOf: (target: Target) => number, now: number): Step[] {
  const { action, after, known, shown = [] } = draft
  if (after === undefined || (action !== 'create' && !changes(draft))) return []
  const page =
    known === undefined
      ? [...room, insertPage(newPage(key, after, now))]
      : [updatePage({ ...known.row, ...after, updated_at: now })]
  const wanted = new Set(shown.map(({ target }) => target.id))
  const had = draft.shown === undefined ? [] : (known?.assignments ?? [])
  const leaving = had.filter(({ monitor_id }) => !wanted.has(monitor_id))
  const place = ({ team_id, id }: Key, monitor_id: number) => ({ team_id, page_id: id, monitor_id })
  return [
    ...page,
    ...leaving.map(({ monitor_id }) => ({ query: unassignMonitor, params: place(key, monitor_id) })),
    // A monitor that went away meanwhile is no row: the whole is decided anew.
    ...shown.map(({ target, settings }) => ({ ...assignment(place(key, idOf(target)), settings), expect: 1 })),
  ]
}

function channelSteps(
  context: Context,
  draft: ChannelDraft,
  key: Key,
  room: Step[],
  idOf: (target: Target) => number,
  now: number,
): Step[] {
  if (draft.body === null || (draft.action !== 'create' && !changes(draft))) return []
  const body = { ...draft.body, monitor_ids: draft.monitors.map(idOf) }
  const { known, secret } = draft
  if (known === undefined) {
    const own = body.type === 'webhook' ? (secret ?? newWebhookSecret()) : null
    return [...room, channels.insertion(channels.newChannel(context, key, body, own))]
  }
  const { row, settings } = channels.changed(known.channel, body, false)
  const isNew = secret !== undefined && secret !== settings.secret
  const signed = isNew ? { ...settings, ...rotated(settings as WebhookSettings, secret, now) } : settings
  return channels.changeSteps(known.channel, channels.sealed(context, { row, settings: signed }, now), now)
}

function windowSteps(draft: WindowDraft, key: Key, idOf: (target: Target) => number, now: number): Step[] {
  const { action, after, known } = draft
  if (after === undefined || (action !== 'create' && !changes(draft))) return []
  const settings = { ...after, monitor_ids: draft.monitors.map(idOf).sort((a, b) => a - b) }
  if (known === undefined) return maintenance.insertion(maintenance.newWindow(key, settings, now))
  return maintenance.update(known.window, { ...known.window, ...settings, updated_at: now })
}

function managing(kind: keyof Drafts, drafts: readonly Draft[], source: string, key: (draft: Draft) => Key): Step[] {
  const owned = drafts.filter(({ action }) => action !== 'none' && action !== 'delete')
  const [first] = owned
  if (first === undefined) return []
  const ids = owned.map(draft => key(draft).id)
  return [{ query: manage[kind], params: { team_id: key(first).team_id, ids, source }, expect: ids.length }]
}
