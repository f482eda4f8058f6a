import type { MonitorDraft } from './plan-monitors.ts'
import { type Label, labelsOf, type PlanState } from './plan-state.ts'

/** A monitor that something else names: one that is there, or one that the same apply makes. */
export interface Target {
  id: number | undefined
  /** Place in the body of one that is to be made. */
  index: number | undefined
  label: string | number
}

/** What names of monitors mean once everything is as the files say. */
export class References {
  readonly label: Label
  private readonly byName: Map<string, Target[]>
  private readonly byId: Map<number, Target>

  constructor(state: PlanState, drafts: readonly MonitorDraft[]) {
    const gone = new Set(drafts.filter(draft => draft.action === 'delete').map(draft => draft.known?.id))
    const renamed = new Map(drafts.map(draft => [draft.known?.id, draft.after?.name]))
    const staying = state.monitors
      .filter(({ id }) => !gone.has(id))
      .map(({ id, key }) => ({ id, name: renamed.get(id) ?? key }))
    const made = drafts.filter(draft => draft.action === 'create')
    // Ids of what is not there yet are none that anything has.
    const named = [...staying, ...made.map(({ index = 0, key }) => ({ id: -1 - index, name: key }))]
    const label = labelsOf(named)
    this.label = label
    const targets = named.map(({ id, name }) => ({
      name,
      target: id > 0 ? { id, index: undefined, label: label(id) } : { id: undefined, index: -1 - id, label: name },
    }))
    this.byName = new Map(
      [...Map.groupBy(targets, each => each.name)].map(([name, group]) => [name, group.map(each => each.target)]),
    )
    this.byId = new Map(targets.flatMap(({ target }) => (target.id === undefined ? [] : [[target.id, target]])))
  }

  /** @param fault told what is wrong with it */
  resolve(reference: string | number, fault: (message: string) => void): Target | undefined {
    if (typeof reference === 'number') {
      const target = this.byId.get(reference)
      if (target === undefined) fault(`there is no monitor ${reference}`)
      return target
    }
    const [target, ...others] = this.byName.get(reference) ?? []
    if (target === undefined) fault(`no monitor is called "${reference}", neither here nor in the files`)
    else if (others.length > 0) {
      fault(`several monitors are called "${reference}"; say the id of the one that is meant`)
    }
    return others.length > 0 ? undefined : target
  }

  /**
   * Those of a list that could be resolved, in the order of the list; the others are faults.
   * @param kept ids that it had before: of those a monitor may be gone by now
   */
  resolveAll(
    references: readonly (string | number)[],
    fault: (index: number, message: string) => void,
    kept: readonly number[] = [],
  ): Target[] {
    const resolve = (reference: string | number, index: number): Target | undefined =>
      typeof reference === 'number' && kept.includes(reference)
        ? { id: reference, index: undefined, label: this.label(reference) }
        : this.resolve(reference, message => fault(index, message))
    return references.flatMap((reference, index) => resolve(reference, index) ?? [])
  }
}
