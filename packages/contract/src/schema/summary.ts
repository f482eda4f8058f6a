import Type from 'typebox'
import { Nullable, Timestamp, Word } from './scalar.ts'

// The shape of Statuspage.io's API, version 2, which many pollers read; ids are text there.

const page = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  time_zone: Type.String({ examples: ['Etc/UTC'] }),
  updated_at: Timestamp(),
})
const status = Type.Object({
  indicator: Word(['none', 'minor', 'major', 'critical', 'maintenance']),
  description: Type.String(),
})

const Component = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Word(['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance']),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  position: Type.Integer(),
  description: Nullable(Type.String()),
  showcase: Type.Boolean(),
  start_date: Nullable(Type.String()),
  group_id: Nullable(Type.String()),
  page_id: Type.String(),
  group: Type.Boolean({ description: 'A group, whose members are in `components`.' }),
  only_show_if_degraded: Type.Boolean(),
  components: Type.Optional(Type.Array(Type.String())),
})

const update = Type.Object({
  id: Type.String(),
  status: Type.String(),
  body: Type.String(),
  incident_id: Type.String(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  display_at: Timestamp(),
  affected_components: Type.Null(),
  deliver_notifications: Type.Boolean(),
})

const incident = {
  id: Type.String(),
  name: Type.String(),
  status: Type.String(),
  impact: Type.String(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  started_at: Nullable(Timestamp()),
  monitoring_at: Nullable(Timestamp()),
  resolved_at: Nullable(Timestamp()),
  shortlink: Type.String(),
  page_id: Type.String(),
  incident_updates: Type.Array(update, { description: 'The latest first.' }),
  components: Type.Array(Component),
}

/** A page in the shape that pollers of other makers read. */
export const StatusSummary = Type.Object(
  {
    page,
    status,
    components: Type.Array(Component, { description: 'What nobody watches is left out: it has no word here.' }),
    incidents: Type.Array(Type.Object(incident), { description: 'Those that are not over.' }),
    scheduled_maintenances: Type.Array(
      Type.Object({ ...incident, scheduled_for: Timestamp(), scheduled_until: Timestamp() }),
    ),
  },
  { title: 'StatusSummary' },
)

/** The page and its one word. */
export const StatusWord = Type.Object({ page, status }, { title: 'StatusWord' })
