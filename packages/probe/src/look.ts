import { randomUUID } from 'node:crypto'
import { type Check, runCheck } from '@watchpost/checks'
import type { Outcome } from '@watchpost/contract'
import { traceparentOf } from '@watchpost/contract/trace-id'
import type { CheckRunner } from './run.ts'

/** What the server beside this probe asks: to look at a target once, for somebody who waits for the answer. */
export interface Look {
  look: number
  check: Check
  private: 'allow' | 'deny'
}

/** What it is told. */
export interface Looked {
  look: number
  outcome: Outcome
}

interface Parent {
  on(event: 'message', listener: (message: unknown) => void): unknown
  send?: ((message: Looked) => unknown) | undefined
}

/** Answers what is asked over the channel to the server; such a look is no check of a monitor, and is reported to nobody else. */
export function answerLooks(parent: Parent, signal: AbortSignal, look: CheckRunner = runCheck): void {
  parent.on('message', async message => {
    const asked = message as Partial<Look> | null
    if (typeof asked?.look !== 'number' || asked.check === undefined) return
    const check = { ...asked.check, traceparent: traceparentOf(randomUUID()) }
    const outcome = await look(check, { signal, policy: { private: asked.private ?? 'deny' } })
    parent.send?.({ look: asked.look, outcome })
  })
}
