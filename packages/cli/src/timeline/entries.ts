import type { Incident, IncidentStatus } from '@watchpost/contract'
import { sayDuration } from '../duration.ts'

/** One thing said of an incident, with the incident it is said of. */
export interface Entry {
  at: string
  incident_id: number
  title: string
  severity: string
  status: IncidentStatus
  message: string
}

/** What was said of these incidents, oldest first. */
export function entriesOf(incidents: Incident[]): Entry[] {
  return incidents
    .flatMap(({ id, title, severity, updates }) =>
      updates.map(({ created_at, status, message }) => ({
        at: created_at,
        incident_id: id,
        title,
        severity: String(severity),
        status,
        message,
      })),
    )
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.incident_id - b.incident_id)
}

/** `open for 12 min`, `lasted 2 h`. */
export function lasted({ started_at, resolved_at }: Pick<Incident, 'started_at' | 'resolved_at'>, now: number): string {
  const until = resolved_at === null ? now : Date.parse(resolved_at)
  const span = sayDuration(Math.max(0, until - Date.parse(started_at)))
  return resolved_at === null ? `open for ${span}` : `lasted ${span}`
}

/** Words of a text in lines of this width; a word that is longer is cut into pieces. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const part of text.split(/\r?\n/)) {
    let line = ''
    for (const word of part.split(/\s+/)) {
      const next = line === '' ? word : `${line} ${word}`
      if (next.length <= width) line = next
      else {
        if (line !== '') lines.push(line)
        line = word
        for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width))
      }
    }
    lines.push(line)
  }
  return lines
}
