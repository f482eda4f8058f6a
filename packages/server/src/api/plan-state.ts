import type { ChannelType } from '@watchpost/contract'
import {
  type AssignmentRow,
  assignmentsOfTeam,
  channelsOfTeam,
  type MonitorView,
  monitorsOfTeam,
  type StatusPageRow,
  statusPagesOfTeam,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { shownSettings } from '../domain/channel-settings.ts'
import type { Known, Said } from '../domain/plan.ts'
import { windowsOf } from './maintenance.ts'
import type { KeptWindow } from './maintenance-windows.ts'
import { settingsOf } from './monitor-row.ts'
import { type OpenChannel, opened } from './open-channel.ts'
import { iso, isoOrNull } from './time.ts'

export interface KnownMonitor extends Known {
  row: MonitorView
}
export interface KnownPage extends Known {
  row: StatusPageRow
  assignments: AssignmentRow[]
}
export interface KnownChannel extends Known {
  channel: OpenChannel
}
export interface KnownWindow extends Known {
  window: KeptWindow
}

/** Everything of a team that files may hold. */
export interface PlanState {
  monitors: KnownMonitor[]
  status_pages: KnownPage[]
  channels: KnownChannel[]
  maintenance: KnownWindow[]
}

export async function readState(context: Context, team_id: number): Promise<PlanState> {
  const { db } = context
  const [monitors, pages, assignments, channels, windows] = await Promise.all([
    db.all(monitorsOfTeam, { team_id }),
    db.all(statusPagesOfTeam, { team_id }),
    db.all(assignmentsOfTeam, { team_id }),
    db.all(channelsOfTeam, { team_id }),
    windowsOf(context, team_id),
  ])
  const ofPage = Map.groupBy(assignments, ({ page_id }) => page_id)
  return {
    monitors: monitors.map(row => ({ id: row.id, key: row.name, managed_by: row.managed_by, row })),
    status_pages: pages.map(row => ({
      id: row.id,
      key: row.slug,
      managed_by: row.managed_by,
      row,
      assignments: (ofPage.get(row.id) ?? []).map(({ page_id: _, ...assignment }) => assignment),
    })),
    channels: channels.map(row => ({
      id: row.id,
      key: row.name,
      managed_by: row.managed_by,
      channel: opened(context, row),
    })),
    maintenance: windows.map(window => ({
      id: window.id,
      key: window.title,
      managed_by: window.managed_by,
      window,
    })),
  }
}

/** How files call a monitor: its name, or its id where others have the name, too. */
export type Label = (id: number) => string | number

export function labelsOf(monitors: Iterable<{ id: number; name: string }>): Label {
  const all = [...monitors]
  const count = new Map<string, number>()
  for (const { name } of all) count.set(name, (count.get(name) ?? 0) + 1)
  const labels = new Map(all.map(({ id, name }) => [id, count.get(name) === 1 ? name : id]))
  return id => labels.get(id) ?? id
}

export const monitorSaid = (row: MonitorView): Said => ({ ...settingsOf(row) })

export function pageSaid(row: Omit<StatusPageRow, 'team_id' | 'id' | 'version'>): Said {
  return {
    slug: row.slug,
    title: row.title,
    description: row.description,
    is_public: row.is_public === 1,
    language: row.language,
    show_history_days: row.show_history_days,
    theme: JSON.parse(row.theme),
    custom_domain: row.custom_domain,
    logo: row.logo,
  }
}

/** A channel with the secrets that it has. */
export function channelSaid({ row, settings }: OpenChannel, label: Label): Said {
  const ids = JSON.parse(row.monitor_ids ?? '[]') as number[]
  const { url = null, to = null, bot_token = null, chat_id = null, secret } = settings
  return {
    name: row.name,
    type: row.type,
    url,
    to,
    bot_token,
    chat_id,
    events: JSON.parse(row.events ?? '[]'),
    monitors: ids.map(label),
    enabled: row.enabled === 1,
    ...(secret === undefined ? {} : { secret }),
  }
}

/** A channel as a file has it: what is secret is left out, and stays as it is. */
export function channelShown(channel: OpenChannel, label: Label): Said {
  const { secret: _, ...said } = channelSaid(channel, label)
  const shown = shownSettings(channel.row.type as ChannelType, channel.settings)
  const open = Object.entries(shown).map(([name, value]) => [
    name,
    typeof value === 'string' && value.includes('…') ? null : value,
  ])
  return { ...said, ...Object.fromEntries(open) }
}

export function windowSaid(window: Omit<KeptWindow, 'team_id' | 'id' | 'version' | 'managed_by'>, label: Label): Said {
  return {
    name: window.title,
    description: window.description,
    monitors: window.monitor_ids.map(label),
    all_monitors: window.all_monitors,
    starts_at: iso(window.starts_at),
    ends_at: Number.isNaN(window.ends_at) ? null : iso(window.ends_at),
    time_zone: window.time_zone,
    recurrence: window.recurrence && { ...window.recurrence, until: isoOrNull(window.recurrence.until) },
  }
}
