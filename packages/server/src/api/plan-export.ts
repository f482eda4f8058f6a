import type { Resources } from '@watchpost/contract'
import type { Context } from '../context.ts'
import { standingAt, statusOf } from '../domain/maintenance.ts'
import { type MonitorSettings, withDefaults } from '../domain/monitor-settings.ts'
import { canonical, type Said, withMasks } from '../domain/plan.ts'
import { channelShown, labelsOf, monitorSaid, type PlanState, pageSaid, windowSaid } from './plan-state.ts'
import { defaults } from './status-pages.ts'

/** Everything of a team as files hold it: what is as by default is left out, secrets are left out or masked. */
export function exported(state: PlanState, context: Pick<Context, 'now'>): Resources {
  const label = labelsOf(state.monitors.map(({ id, key }) => ({ id, name: key })))
  const now = context.now()
  const coming = state.maintenance.filter(({ window }) => statusOf(standingAt(window, now)) !== 'ended')
  return {
    monitors: named(
      state.monitors.filter(({ row }) => row.type !== 'server'),
      ({ row }) => {
        const said = monitorSaid(row) as unknown as MonitorSettings
        const plain = withDefaults({ name: row.name, target: row.target, type: said.type, interval: said.interval })
        return {
          ...unlike(
            said as unknown as Said,
            { ...plain, name: null, target: null, type: null, interval: 60 },
            withMasks,
          ),
        }
      },
    ),
    status_pages: named(state.status_pages, ({ row, assignments }) => {
      const { theme, ...said } = pageSaid(row)
      const colours = unlike(theme as Said, JSON.parse(defaults.theme))
      return {
        ...unlike(said, { ...pageSaid({ ...defaults, ...row, ...defaults }), slug: null, title: null }),
        ...(Object.keys(colours).length === 0 ? {} : { theme: colours }),
        monitors: assignments.map(({ monitor_id, name: _, ...settings }) => ({
          monitor: label(monitor_id),
          ...unlike(
            {
              ...settings,
              show_uptime: settings.show_uptime === 1,
              show_response_time: settings.show_response_time === 1,
            },
            { display_name: null, group_name: 'General', order_index: 0, show_uptime: true, show_response_time: true },
          ),
        })),
      }
    }),
    channels: named(state.channels, ({ channel }) =>
      unlike(channelShown(channel, label), { ...nothing, events: [], monitors: [], enabled: true }),
    ),
    maintenance: named(coming, ({ window }) => {
      const { recurrence, ...said } = windowSaid(window, label)
      const rule = recurrence === null ? {} : { recurrence: unlike(recurrence as Said, { ...noRule, interval: 1 }) }
      return {
        ...unlike(said, { description: null, monitors: [], all_monitors: false, time_zone: 'UTC' }),
        ...rule,
      }
    }),
  } as Resources
}

const nothing = { url: null, to: null, bot_token: null, chat_id: null }
const noRule = { weekdays: null, day_of_month: null, until: null }

/** What is not as by default. */
function unlike(said: Said, plain: Said, options: (options: Said) => Said = given => given): Said {
  const kept = Object.entries(said).filter(([name, value]) => canonical(value) !== canonical(plain[name]))
  return Object.fromEntries(kept.map(([name, value]) => [name, name === 'options' ? options(value as Said) : value]))
}

/** Items, with the id of those whose name others have, too. */
function named<K extends { id: number; key: string }>(known: readonly K[], itemOf: (known: K) => object): object[] {
  const names = Map.groupBy(known, each => each.key)
  return known.map(each => ({
    ...((names.get(each.key) ?? []).length > 1 ? { id: each.id } : {}),
    ...itemOf(each),
  }))
}
