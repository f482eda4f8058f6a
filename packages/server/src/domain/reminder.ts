/** Pause between reminders of an outage, from a monitor's options; null for none. */
export function reminderIntervalMs(options: Record<string, unknown>): number | null {
  const seconds = options.reminder_interval
  return typeof seconds === 'number' ? seconds * 1000 : null
}

/**
 * When the reminder after this one is due. The moments stay multiples of the interval after the alert; those that
 * nobody was there to keep are not made up for, since three reminders at once say no more than one.
 */
export function nextReminder(dueAt: number, intervalMs: number, now: number): number {
  return dueAt + intervalMs * (Math.floor((now - dueAt) / intervalMs) + 1)
}
