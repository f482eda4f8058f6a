import type {
  FieldErrors,
  PlanAction,
  PlannedChange,
  PlanWrite,
  PropertyChange,
  ResourceKind,
} from '@watchpost/contract'
import { namedSecrets } from '../domain/named-secrets.ts'
import { isSecret, type Known, match, propertyChanges, type Said, type Stamp } from '../domain/plan.ts'
import type { PlanState } from './plan-state.ts'

export const defaultSource = 'monitorctl'

/** What becomes of one thing. */
export interface Draft {
  kind: ResourceKind
  key: string
  /** Place in the body; undefined for what the files no longer name. */
  index: number | undefined
  action: PlanAction | 'none'
  properties: PropertyChange[]
  /** Of what it was compared with. */
  stamp: Stamp
}

interface Decided<M> {
  before: Said | undefined
  after: Said
  /** What the token of the plan shall depend on. */
  seen: unknown
  more: M
}

type Fault = (field: string, message: string) => void

/** Compares what files say with what is there; gathers every fault on the way, each under its place in the body. */
export class Drafting {
  readonly errors: FieldErrors = Object.create(null)
  readonly team_id: number
  readonly state: PlanState
  readonly source: string
  private readonly asked: PlanWrite
  private readonly isNamedSecret: (path: string) => boolean

  constructor(team_id: number, state: PlanState, asked: PlanWrite) {
    this.team_id = team_id
    this.state = state
    this.asked = asked
    this.source = asked.source ?? defaultSource
    this.isNamedSecret = namedSecrets(asked.secrets ?? [])
  }

  fault(kind: ResourceKind, index: number, field: string, message: string): void {
    this.errors[`resources.${kind}.${index}.${field}`] ??= message
  }

  /** A draft for each item of a kind. */
  each<I extends { id?: number | undefined }, K extends Known, M>(
    kind: ResourceKind,
    items: readonly I[],
    keyOf: (item: I) => string,
    known: readonly K[],
    decide: (item: I, known: K | undefined, fault: Fault) => Decided<M>,
  ): (Draft & M & { known: K | undefined })[] {
    const field = kind === 'status_pages' ? 'slug' : 'name'
    const keys = new Map<string, number>()
    const ids = new Map<number, number>()
    // Ten thousand items are not looked for among ten thousand.
    const byKey = Map.groupBy(known, each => each.key)
    return items.flatMap((item, index) => {
      const fault: Fault = (at, message) => this.fault(kind, index, at, message)
      const key = keyOf(item)
      const matched = match(item, key, item.id === undefined ? (byKey.get(key) ?? []) : known, this.source)
      if ('fault' in matched) {
        fault(item.id === undefined ? field : 'id', matched.fault)
        return []
      }
      const id = matched.known?.id
      const earlier =
        id === undefined ? keys.get(key) : (ids.get(id) ?? (item.id === undefined ? keys.get(key) : undefined))
      if (earlier !== undefined) {
        fault(field, `is there twice: ${kind} ${earlier + 1} and ${index + 1} say the same`)
        return []
      }
      if (item.id === undefined) keys.set(key, index)
      if (id !== undefined) ids.set(id, index)
      const { before, after, seen, more } = decide(item, matched.known, fault)
      const hides = (path: string) => isSecret(kind, path, after.type) || this.isNamedSecret(`${kind}.${index}.${path}`)
      const properties = propertyChanges(before, after, hides)
      const action = this.actionFor(matched.known, properties)
      if (action === 'update' || action === 'adopt') this.own(matched.known as K, properties, at => fault(field, at))
      const stamp = { kind, key, id, action: action === 'none' ? 'adopt' : action, asked: item, seen } as const
      return [{ ...more, kind, key, index, action, properties, known: matched.known, stamp }]
    })
  }

  /** What this source manages, and no item has been matched with. */
  pruned<K extends Known>(kind: ResourceKind, known: readonly K[], drafts: readonly { known: K | undefined }[]) {
    if (this.asked.prune !== true) return []
    const named = new Set(drafts.map(draft => draft.known?.id))
    return known
      .filter(each => each.managed_by === this.source && !named.has(each.id))
      .map(each => ({
        kind,
        key: each.key,
        index: undefined,
        action: 'delete' as const,
        properties: [],
        known: each as K | undefined,
        stamp: { kind, key: each.key, id: each.id, action: 'delete' as const, asked: null, seen: null as unknown },
      }))
  }

  private actionFor(known: Known | undefined, properties: readonly PropertyChange[]): Draft['action'] {
    if (known === undefined) return 'create'
    if (properties.length > 0) return 'update'
    return this.asked.adopt === true && known.managed_by !== this.source ? 'adopt' : 'none'
  }

  /** Things of another source are not changed by the way. */
  private own(known: Known, properties: PropertyChange[], fault: (message: string) => void): void {
    if (known.managed_by === this.source) return
    if (known.managed_by !== null && this.asked.adopt !== true) {
      fault(`is managed by "${known.managed_by}"; apply with that --source, or take it over with --adopt`)
    }
    properties.push({ path: 'managed_by', old: known.managed_by, new: this.source })
  }
}

export function shownChange({ kind, key, stamp, action, properties }: Draft): PlannedChange {
  return { kind, key, id: stamp.id ?? null, action: action as PlanAction, properties }
}
