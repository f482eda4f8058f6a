import type { Entry } from './entry.ts'
import type { Answer, Counted } from './protocol.ts'

/** Keeps what was read: the one thing that each engine does its own way. */
export interface Keeper {
  /** @returns what was counted and is not in the usage of the apps yet */
  open(): Promise<Counted[]>
  /**
   * Keeps what fits of some requests and counts it, in as few commits as there can be, and answers each by what became of
   * its own.
   * @throws when nothing of them is kept
   */
  keep(entries: Entry[]): Promise<{ answers: Answer[]; counted: Counted[] }>
  /** Answers that have arrived, and such that certainly have not. */
  answered(ids: number[]): Promise<void>
  lost(ids: number[]): Promise<void>
  close(): Promise<void>
}
