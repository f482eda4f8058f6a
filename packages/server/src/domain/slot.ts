/**
 * When a monitor is due next. Each monitor has a phase of its own within its interval, made from its id, so that
 * thousands with the same interval spread evenly and stay spread after a restart.
 * @param after epoch ms of the last check
 * @param intervalS seconds between checks
 * @param part of its interval by which it is moved, ms: its regions do not look all at once
 * @returns epoch ms, a tenth of an interval to eleven tenths after `after`: a check that ran a moment before its slot
 * is not run again in it
 */
export function nextSlot(monitorId: number, intervalS: number, after: number, part = 0): number {
  const interval = intervalS * 1000
  const phase = (mix(monitorId) + part) % interval
  const earliest = after + interval / 10
  return Math.ceil((earliest - phase) / interval) * interval + phase
}

/** When the slot of a monitor began that a moment is in; epoch ms. */
export function slotStart(monitorId: number, intervalS: number, at: number): number {
  const interval = intervalS * 1000
  const phase = mix(monitorId) % interval
  return Math.floor((at - phase) / interval) * interval + phase
}

/** Neighbouring ids land far apart (Knuth's multiplicative hash). */
function mix(id: number): number {
  return Math.imul(id, 2_654_435_761) >>> 0
}
