import type { FieldErrors, ShownItem, StatusPageItem } from '@watchpost/contract'
import type { Said } from '../domain/plan.ts'
import { assignmentColumnsOf, type Settings } from './assignments.ts'
import type { Draft, Drafting } from './plan-draft.ts'
import type { References, Target } from './plan-references.ts'
import { type KnownPage, pageSaid } from './plan-state.ts'
import { defaults, type PageColumns, pageColumns } from './status-pages.ts'

/** A monitor on a page, as it shall be there. */
export interface Shown {
  target: Target
  settings: Settings
}

export interface PageDraft extends Draft {
  kind: 'status_pages'
  known: KnownPage | undefined
  after: PageColumns | undefined
  /** undefined where the files leave the page's monitors as they are. */
  shown: Shown[] | undefined
}

export function draftPages(
  drafting: Drafting,
  references: References,
  items: readonly StatusPageItem[],
  taken: ReadonlyMap<string, FieldErrors>,
): PageDraft[] {
  const known = drafting.state.status_pages
  const domains = new Set<string | null>()
  const keyOf = (item: StatusPageItem) => item.slug.toLowerCase()
  const drafts = drafting.each('status_pages', items, keyOf, known, (item, before, fault) => {
    const { id: _, monitors, ...body } = item
    const after = pageColumns(body, defaults)
    for (const [field, message] of Object.entries(taken.get(after.slug) ?? {})) fault(field, message)
    const { custom_domain } = after
    if (custom_domain !== null && domains.has(custom_domain))
      fault('custom_domain', 'is the domain of two of these pages')
    domains.add(custom_domain)
    const now = { created_at: 0, updated_at: 0, managed_by: null }
    const shown = monitors === undefined ? undefined : shownOf(monitors, references, fault)
    const was = before?.assignments.map(assignmentSaid(references))
    return {
      before: before && { ...pageSaid(before.row), ...(shown === undefined ? {} : { monitors: byLabel(was ?? []) }) },
      after: {
        ...pageSaid({ ...after, ...now }),
        ...(shown === undefined ? {} : { monitors: byLabel(shown.map(asSaid)) }),
      },
      seen: [before?.row.version ?? null, shown === undefined ? null : (was ?? null)],
      more: { after, shown },
    }
  })
  return [
    ...drafts.map(draft => ({ ...draft, kind: 'status_pages' as const })),
    ...drafting.pruned('status_pages', known, drafts).map(draft => ({
      ...draft,
      kind: 'status_pages' as const,
      after: undefined,
      shown: undefined,
      stamp: { ...draft.stamp, seen: draft.known?.row.version },
    })),
  ]
}

function shownOf(
  monitors: readonly (ShownItem | string | number)[],
  references: References,
  fault: (field: string, message: string) => void,
): Shown[] {
  const seen = new Set<unknown>()
  return monitors.flatMap((item, index) => {
    const isBare = typeof item !== 'object'
    const { monitor, ...settings } = isBare ? { monitor: item } : item
    const at = `monitors.${index}${isBare ? '' : '.monitor'}`
    const target = references.resolve(monitor, message => fault(at, message))
    if (target === undefined) return []
    if (seen.has(target.label)) {
      fault(at, 'is on the page twice')
      return []
    }
    seen.add(target.label)
    return [{ target, settings: assignmentColumnsOf(settings) }]
  })
}

const said = (label: string | number, settings: Settings): [string | number, Said] => [
  label,
  {
    display_name: settings.display_name,
    group_name: settings.group_name,
    order_index: settings.order_index,
    show_uptime: settings.show_uptime === 1,
    show_response_time: settings.show_response_time === 1,
  },
]
const asSaid = ({ target, settings }: Shown) => said(target.label, settings)
const assignmentSaid =
  (references: References) =>
  ({ monitor_id, ...settings }: KnownPage['assignments'][number]) =>
    said(references.label(monitor_id), settings)

const byLabel = (entries: [string | number, Said][]): Said => Object.fromEntries(entries)
