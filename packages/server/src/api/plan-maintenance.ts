import type { MaintenanceItem, MaintenanceWindowWrite } from '@watchpost/contract'
import type { Context } from '../context.ts'
import { type MaintenanceSettings, settingsErrors, withDefaults } from '../domain/maintenance.ts'
import { inOrder } from './plan-channels.ts'
import type { Draft, Drafting } from './plan-draft.ts'
import type { References, Target } from './plan-references.ts'
import { type KnownWindow, windowSaid } from './plan-state.ts'

export interface WindowDraft extends Draft {
  kind: 'maintenance'
  known: KnownWindow | undefined
  /** Without its monitors; undefined where it is deleted. */
  after: MaintenanceSettings | undefined
  monitors: Target[]
}

/** Where the monitors have no ids yet, the rules are asked with these. */
const someIds = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

export function draftMaintenance(
  context: Context,
  drafting: Drafting,
  references: References,
  items: readonly MaintenanceItem[],
): WindowDraft[] {
  const known = drafting.state.maintenance
  const now = context.now()
  const drafts = drafting.each(
    'maintenance',
    items,
    item => item.name,
    known,
    (item, before, fault) => {
      const { id: _, name, monitors: named = [], ...given } = item
      const monitors = references.resolveAll(named, (index, message) => fault(`monitors.${index}`, message))
      const body = {
        ...given,
        title: name,
        ...(named.length === 0 ? {} : { monitor_ids: someIds(named.length) }),
      } as MaintenanceWindowWrite
      const after = withDefaults(body, before?.window.created_at ?? now)
      const errors = settingsErrors(body, after, now)
      for (const [field, message] of Object.entries(errors)) {
        fault(field === 'monitor_ids' ? 'monitors' : field === 'title' ? 'name' : field, message)
      }
      const label = references.label
      const was = before && windowSaid(before.window, label)
      const times = { created_at: now, updated_at: now }
      const bad = Object.keys(errors).length > 0
      const said = bad ? {} : windowSaid({ ...after, monitor_ids: [], ...times }, label)
      return {
        before: was,
        after: {
          ...said,
          monitors: inOrder(
            monitors.map(each => each.label),
            was?.monitors,
          ),
        },
        seen: [before?.window.version ?? null, before?.window.monitor_ids ?? null],
        more: { after, monitors },
      }
    },
  )
  return [
    ...drafts.map(draft => ({ ...draft, kind: 'maintenance' as const })),
    ...drafting.pruned('maintenance', known, drafts).map(draft => ({
      ...draft,
      kind: 'maintenance' as const,
      after: undefined,
      monitors: [],
      stamp: { ...draft.stamp, seen: draft.known?.window.version },
    })),
  ]
}
