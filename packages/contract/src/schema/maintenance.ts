import Type, { type Static } from 'typebox'
import { Id, ManagedBy, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** scheduled: one is still to come; active: one runs now; ended: none will come any more. */
export const maintenanceStatuses = ['scheduled', 'active', 'ended'] as const
export type MaintenanceStatus = (typeof maintenanceStatuses)[number]

export const maintenanceFrequencies = ['daily', 'weekly', 'monthly'] as const
export type MaintenanceFrequency = (typeof maintenanceFrequencies)[number]

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
export type Weekday = (typeof weekdays)[number]

/** Shortest and longest that one may last, in seconds: a minute and 30 days. */
export const maintenanceSeconds = { minimum: 60, maximum: 30 * 86_400 } as const

const recurrence = {
  interval: Type.Integer({ minimum: 1, maximum: 52, default: 1, description: 'Every so many days, weeks or months.' }),
  weekdays: Nullable(
    Type.Array(Word(weekdays), {
      uniqueItems: true,
      minItems: 1,
      maxItems: 7,
      description: 'Only with weekly; by default the weekday of starts_at.',
    }),
  ),
  day_of_month: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'Only with monthly, by default the day of starts_at. A shorter month has its last day instead.',
    }),
  ),
  until: Nullable(Timestamp({ description: 'None starts after this.' })),
}

/** How a window comes again: on these days in its time zone, at the local time of starts_at, for as long as the first. */
export const RecurrenceWrite = Type.Object(
  { frequency: Word(maintenanceFrequencies), ...Type.Partial(Type.Object(recurrence)).properties },
  { title: 'RecurrenceWrite', additionalProperties: false },
)
export type RecurrenceWrite = Static<typeof RecurrenceWrite>

export const Recurrence = Type.Object(
  { frequency: Word(maintenanceFrequencies), ...recurrence },
  { title: 'Recurrence' },
)
export type Recurrence = Static<typeof Recurrence>

const title = Name({ description: 'Public: status pages show it.', examples: ['Database upgrade'] })
const settings = {
  description: Nullable(Type.String({ maxLength: 5000, description: 'Public: status pages show it.' })),
  monitor_ids: Type.Array(Id(), {
    uniqueItems: true,
    maxItems: 1000,
    default: [],
    description: 'Ids of the monitors it is about; at least one, unless all_monitors is true.',
  }),
  all_monitors: Type.Boolean({ default: false, description: 'Every monitor of the team, later ones too.' }),
  starts_at: Timestamp({ description: 'By default now. Gives the local time of day to a window that recurs.' }),
  ends_at: Timestamp({ description: 'A minute to 30 days after starts_at; of the first, where the window recurs.' }),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'IANA name: a window that recurs keeps to the clocks there.',
    examples: ['Europe/Berlin'],
  }),
}
const duration = Type.Integer({
  ...maintenanceSeconds,
  description: 'Seconds that it lasts, instead of ends_at.',
})

/** Body of create and of PUT: what is absent takes its default (ruling 10). */
export const MaintenanceWindowWrite = Type.Object(
  {
    title,
    ...Type.Partial(Type.Object(settings)).properties,
    duration: Type.Optional(duration),
    recurrence: Type.Optional(Nullable(RecurrenceWrite)),
  },
  { title: 'MaintenanceWindowWrite', additionalProperties: false },
)
export type MaintenanceWindowWrite = Static<typeof MaintenanceWindowWrite>

/** Body of PATCH: what is absent stays. */
export const MaintenanceWindowPatch = Type.Partial(MaintenanceWindowWrite, {
  title: 'MaintenanceWindowPatch',
  additionalProperties: false,
})
export type MaintenanceWindowPatch = Static<typeof MaintenanceWindowPatch>

/** Planned work: checks run, nobody is alerted, pages show it, and uptime counts it apart. */
export const MaintenanceWindow = Type.Object(
  {
    id: Id(),
    title,
    ...settings,
    recurrence: Nullable(Recurrence),
    status: Word(maintenanceStatuses),
    next_start_at: Nullable(Timestamp({ description: 'When it starts next; null when it will not any more.' })),
    next_end_at: Nullable(Timestamp({ description: 'When it ends next: while it is active, the end of it.' })),
    managed_by: ManagedBy(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'MaintenanceWindow' },
)
export type MaintenanceWindow = Static<typeof MaintenanceWindow>

/** What a status page says of a window that runs, or starts within seven days. */
export const ShownMaintenance = Type.Object(
  {
    id: Id(),
    title: Type.String(),
    description: Nullable(Type.String()),
    status: Word(['active', 'scheduled']),
    starts_at: Timestamp({ description: 'Of this one, where the window recurs.' }),
    ends_at: Timestamp(),
    monitor_ids: Type.Array(Id(), { description: 'Monitors of this page that it is about.' }),
  },
  { title: 'ShownMaintenance' },
)
export type ShownMaintenance = Static<typeof ShownMaintenance>
