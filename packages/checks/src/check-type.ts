import type { CheckTypeName, Outcome } from '@watchpost/contract'
import type { TObject } from 'typebox'
import type { AddressPolicy } from './guard.ts'

/** What a check is told: a monitor without its name and its state. Times in seconds, as on the wire. */
export interface Check {
  type: CheckTypeName
  target: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Seconds for the whole check, whatever the target does. */
  timeout: number
  ssl_verify: boolean
  options: Record<string, unknown>
  /** Goes out with every request of an HTTP check, so that what the target does for it can be found by its trace. */
  traceparent?: string
}

/** What is wrong with a target: said when the monitor is created, naming the field and the mend. */
export class TargetError extends Error {
  override name = 'TargetError'
}

/** The seam: one protocol, one file, one line in `index.ts`. */
export interface CheckType {
  /** Schema of the type's own `options`, every property optional, with defaults and descriptions. */
  options: TObject
  /**
   * What the schema cannot say of the options: a pattern that does not compile, a range written backwards.
   * Called with the options that fit the schema; answers option name → message, null or absent when fine.
   */
  judgeOptions?(options: Record<string, unknown>): Record<string, string | null>
  /** @throws {TargetError} when the target is not one of this type. Pure: no name is looked up. */
  parseTarget(target: string): void
  /**
   * How many may run at once, where that is not the probe's general limit. A type that says so waits in a lane of its own
   * and delays no other. Asked again and again: it may change with what the host has installed.
   */
  concurrency?(general: number): number
  /**
   * Looks at the target once. Never throws for what a target does; an abort of `signal` is the deadline.
   * Options have been validated against the schema, defaults are not filled in.
   */
  run(check: Check, signal: AbortSignal, policy: AddressPolicy): Promise<Outcome>
}
