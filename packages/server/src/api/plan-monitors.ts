import type { MonitorItem } from '@watchpost/contract'
import type { Context } from '../context.ts'
import { type MonitorSettings, withDefaults } from '../domain/monitor-settings.ts'
import { type Said, withoutMasks } from '../domain/plan.ts'
import { privateErrors } from './monitor-change.ts'
import type { Draft, Drafting } from './plan-draft.ts'
import { type KnownMonitor, monitorSaid } from './plan-state.ts'

export interface MonitorDraft extends Draft {
  kind: 'monitors'
  known: KnownMonitor | undefined
  after: MonitorSettings | undefined
}

export function draftMonitors(context: Context, drafting: Drafting, items: readonly MonitorItem[]): MonitorDraft[] {
  // A server's monitor is made with its probe, and in no file.
  const known = drafting.state.monitors.filter(({ row }) => row.type !== 'server')
  const drafts = drafting.each(
    'monitors',
    items,
    item => item.name,
    known,
    (item, before, fault) => {
      const { id: _, ...given } = item
      const said = before && monitorSaid(before.row)
      const options = withoutMasks(given.options ?? {}, said?.options as Said | undefined, path =>
        fault(path, 'is masked, and nothing is kept; give the whole'),
      )
      const after = withDefaults({ ...given, options })
      if (before !== undefined && before.row.type !== after.type) {
        fault('type', `cannot change; it is ${before.row.type}. Delete the monitor, or choose another name`)
      }
      if (before?.row.target !== after.target) {
        for (const [field, message] of Object.entries(privateErrors(context, drafting.team_id, after)))
          fault(field, message)
      }
      return { before: said, after: { ...after } as Said, seen: before?.row.version ?? null, more: { after } }
    },
  )
  return [
    ...drafts.map(draft => ({ ...draft, kind: 'monitors' as const })),
    ...drafting.pruned('monitors', known, drafts).map(draft => ({
      ...draft,
      kind: 'monitors' as const,
      after: undefined,
      stamp: { ...draft.stamp, seen: draft.known?.row.version },
    })),
  ]
}
