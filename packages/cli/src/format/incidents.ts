import type { Incident, IncidentStatus, IncidentSummary } from '@watchpost/contract'
import type { Column, Tone } from '../table.ts'
import type { Entry } from '../timeline/entries.ts'
import type { View } from '../view.ts'
import { moment } from './time.ts'

export const incidentTones: Record<IncidentStatus, Tone> = {
  investigating: 'bad',
  identified: 'bad',
  monitoring: 'warn',
  resolved: 'good',
}

const columns: Column<IncidentSummary>[] = [
  { title: 'ID', cell: ({ id }) => String(id), right: true },
  { title: 'STATUS', cell: ({ status }) => String(status), tone: ({ status }) => incidentTones[status] },
  { title: 'SEVERITY', cell: ({ severity }) => String(severity), optional: 1 },
  { title: 'TITLE', cell: ({ title }) => title, least: 16 },
  { title: 'STARTED', cell: incident => moment(incident.started_at), moment: true, optional: 1 },
  { title: 'RESOLVED', cell: incident => moment(incident.resolved_at), moment: true, optional: 2 },
  { title: 'SOURCE', cell: ({ source }) => String(source), optional: 3 },
]

export const incidentSummaryView: View<IncidentSummary> = {
  singular: 'incident',
  plural: 'incidents',
  name: incident => incident.title,
  columns,
}

export const incidentView: View<Incident> = {
  singular: 'incident',
  plural: 'incidents',
  name: incident => incident.title,
  columns,
  parts: [
    {
      field: 'updates',
      columns: [
        { title: 'AT', cell: (update: Incident['updates'][number]) => moment(update.created_at), moment: true },
        {
          title: 'STATUS',
          cell: ({ status }) => String(status),
          tone: ({ status }) => incidentTones[status as IncidentStatus],
        },
        { title: 'MESSAGE', cell: ({ message }) => message, least: 24 },
      ],
      rows: incident => incident.updates,
    },
  ],
}

/** What was said, of one incident or of many. */
export const entryView: View<Entry> = {
  singular: 'update',
  plural: 'updates',
  name: entry => entry.message,
  columns: [
    { title: 'AT', cell: ({ at }) => moment(at), moment: true },
    { title: 'INCIDENT', cell: entry => String(entry.incident_id), right: true },
    { title: 'TITLE', cell: ({ title }) => title, least: 12, optional: 2 },
    { title: 'STATUS', cell: ({ status }) => String(status), optional: 1, tone: ({ status }) => incidentTones[status] },
    { title: 'MESSAGE', cell: ({ message }) => message, least: 24 },
  ],
}
