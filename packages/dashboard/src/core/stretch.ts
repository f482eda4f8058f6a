/** A stretch of time, epoch ms. */
export type Stretch = readonly [from: number, to: number]

/** Half a stretch before it. */
export function earlier([from, to]: Stretch): Stretch {
  const half = (to - from) / 2
  return [from - half, to - half]
}

/** Half a stretch after it, but not into the future. */
export function later([from, to]: Stretch, now: number): Stretch {
  const step = Math.max(0, Math.min((to - from) / 2, now - to))
  return [from + step, to + step]
}

/** Its middle half. */
export function closer([from, to]: Stretch): Stretch {
  const quarter = (to - from) / 4
  return [from + quarter, to - quarter]
}
