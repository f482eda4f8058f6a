import Type, { type Static } from 'typebox'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** Where an incident stands, from its discovery to its end (ruling 24). */
export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

export const incidentSeverities = ['minor', 'major', 'critical'] as const
export type IncidentSeverity = (typeof incidentSeverities)[number]

/** automatic: opened because a monitor went offline. */
export const incidentSources = ['manual', 'automatic'] as const
export type IncidentSource = (typeof incidentSources)[number]

const ids = (of: string) =>
  Type.Array(Id(), { uniqueItems: true, maxItems: 200, default: [], description: `Ids of ${of}.` })

const title = Name({ description: 'Public: status pages show it.', examples: ['Checkout is slow'] })
// Where nobody says otherwise: the two words that the specification shows.
const settings = {
  description: Nullable(Type.String({ maxLength: 5000, description: 'For the team; status pages do not show it.' })),
  status: Word(incidentStatuses, { default: 'investigating' }),
  severity: Word(incidentSeverities, { default: 'major' }),
  monitor_ids: ids('the monitors it affects; the first is named on status pages'),
  status_page_ids: ids('status pages that show it, beside those that show an affected monitor'),
  started_at: Timestamp({ description: 'Not in the future; by default when it is created.' }),
}

/** Body of create and of PUT: what is absent takes its default (ruling 10). */
export const IncidentWrite = Type.Object(
  { title, ...Type.Partial(Type.Object(settings)).properties },
  { title: 'IncidentWrite', additionalProperties: false },
)
export type IncidentWrite = Static<typeof IncidentWrite>

/** Body of PATCH: what is absent stays. */
export const IncidentPatch = Type.Partial(IncidentWrite, { title: 'IncidentPatch', additionalProperties: false })
export type IncidentPatch = Static<typeof IncidentPatch>

/** An incident in a list: everything but its timeline. */
export const IncidentSummary = Type.Object(
  {
    id: Id(),
    title,
    ...settings,
    source: Word(incidentSources),
    resolved_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'IncidentSummary' },
)
export type IncidentSummary = Static<typeof IncidentSummary>

const message = Type.String({
  minLength: 1,
  maxLength: 5000,
  description: 'Public: status pages show it, and subscribers read it.',
  examples: ['A fix is being rolled out.'],
})

/** Body of an update: what is new, and where the incident stands now. */
export const IncidentUpdateWrite = Type.Object(
  { message, status: Type.Optional(Word(incidentStatuses, { description: 'By default the status stays.' })) },
  { title: 'IncidentUpdateWrite', additionalProperties: false },
)

/** One entry of an incident's timeline. */
export const IncidentUpdate = Type.Object(
  {
    id: Id({ description: 'Number within its incident; later ones are higher.' }),
    message,
    status: Word(incidentStatuses, { description: 'Of the incident from this update on.' }),
    created_at: Timestamp(),
  },
  { title: 'IncidentUpdate' },
)
export type IncidentUpdate = Static<typeof IncidentUpdate>

/** An incident with its timeline, oldest first. */
export const Incident = Type.Object(
  { ...IncidentSummary.properties, updates: Type.Array(IncidentUpdate) },
  { title: 'Incident' },
)
export type Incident = Static<typeof Incident>
