/**
 * The end of a check's time, for those who wait for it. Every AbortSignal is one; a signal and its controller for every
 * check would cost more than the connection that it opens.
 */
export interface Deadline {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** A deadline that comes when {@link abort} is called. Its listeners must not throw. */
export class Alarm implements Deadline {
  aborted = false
  readonly #listeners: (() => void)[] = []

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const index = this.#listeners.indexOf(listener)
    if (index >= 0) this.#listeners.splice(index, 1)
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    // Those who leave while others are told are not told any more.
    for (let next = this.#listeners.shift(); next !== undefined; next = this.#listeners.shift()) next()
  }
}

const listenersOf = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Those who wait for a signal that all checks share. The signal itself walks through all its listeners to take one more,
 * and what it forgets stays in memory until a full collection.
 */
export function waitingFor(signal: AbortSignal): Set<() => void> {
  const known = listenersOf.get(signal)
  if (known) return known
  const waiting = new Set<() => void>()
  listenersOf.set(signal, waiting)
  signal.addEventListener('abort', () => {
    for (const listener of [...waiting]) listener()
  })
  return waiting
}
