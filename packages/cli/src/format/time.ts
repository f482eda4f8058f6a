import { sayDuration } from '../duration.ts'

/** How long ago a moment was: `12 s ago`; `-` for never. */
export function ago(iso: string | null, now: number): string {
  if (iso === null) return '-'
  const ms = now - Date.parse(iso)
  if (Number.isNaN(ms)) return iso
  // Clocks differ by a little; nothing was checked in the future.
  return ms < 1000 ? 'now' : `${sayDuration(ms)} ago`
}

/** A moment to the second, in UTC: `2026-11-21 09:30:00Z`. */
export function moment(iso: string | null): string {
  return iso === null ? '-' : iso.replace('T', ' ').replace(/\.\d+/, '')
}

/** A moment where there is little room: `11-21 09:30Z`. */
export function briefMoment(text: string): string {
  return text.replace(/^\d{4}-(\d\d-\d\d \d\d:\d\d):\d\d/, '$1')
}
