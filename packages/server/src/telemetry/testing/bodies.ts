import type { Prepared } from '../prepared.ts'

/** A generator of its own, so that a failure can be had again. */
export function randomly(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

const odd = ['"', '{', '}', '[', ']', ',', ':', '0', '1', 'e', '-', '.', '\\', ' ', 'ü', '\u0001', 'true', '"key":']

/** Cut off somewhere, or with something else in some place. */
export function damaged(text: string, next: (below: number) => number): string {
  const at = next(text.length)
  return next(3) === 0 ? text.slice(0, at) : text.slice(0, at) + odd[next(odd.length)] + text.slice(at + next(3))
}

/** Hashes of each item, in any order. */
export function hashesOf({ hashes, hashEnds }: Pick<Prepared, 'hashes' | 'hashEnds'>): number[][] {
  return Array.from(hashEnds, (end, at) => [...hashes.subarray(at === 0 ? 0 : hashEnds[at - 1], end)].sort())
}
