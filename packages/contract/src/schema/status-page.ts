import Type, { type Static } from 'typebox'
import { languages } from './language.ts'
import { ShownMaintenance } from './maintenance.ts'
import { Id, ManagedBy, Nullable, Timestamp, Word } from './scalar.ts'

/** Days of history a page may show; any other number is replaced by 90 (specification 2.1). */
export const historyDays = [30, 60, 90, 180, 365] as const

/** Specification, section 3. */
export const currentStatuses = ['operational', 'down', 'unknown'] as const
export type CurrentStatus = (typeof currentStatuses)[number]
export const overallStatuses = ['operational', 'partial'] as const
export type OverallStatus = (typeof overallStatuses)[number]

const slug = Type.String({
  minLength: 3,
  maxLength: 100,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Letters, digits, - and _; saved in lower case.',
  examples: ['acme'],
})
const title = Type.String({ minLength: 3, maxLength: 255, examples: ['Acme status'] })
const Theme = Type.Object(
  {
    primary_color: Type.String({ pattern: '^#[0-9a-fA-F]{6}$', default: '#10b981', description: 'Hex colour.' }),
    layout: Type.String({
      minLength: 1,
      maxLength: 50,
      pattern: '^[a-z0-9-]+$',
      default: 'modern-light',
      description:
        'modern-light, modern-dark, modern-auto, compact, compact-light, compact-dark; auto follows the visitor.',
    }),
  },
  { title: 'Theme', additionalProperties: false },
)
const settings = {
  description: Nullable(Type.String({ maxLength: 1000 })),
  is_public: Type.Boolean({ default: true, description: 'false: nobody can open it.' }),
  language: Word(languages, { default: 'en', description: 'ISO 639-1 code.' }),
  show_history_days: Type.Integer({ default: 90, description: '30, 60, 90, 180 or 365; anything else becomes 90.' }),
  custom_domain: Nullable(
    Type.String({
      maxLength: 253,
      pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])$',
      description:
        'Host name under which the page is the whole site, such as status.example.com; for owners and admins.',
      examples: ['status.example.com'],
    }),
  ),
  logo: Nullable(
    Type.String({
      maxLength: 16_384,
      pattern: '^data:image/(png|jpeg|webp|svg\\+xml);base64,[A-Za-z0-9+/]+={0,2}$',
      description: 'A picture of up to 12 kB as a data URL: PNG, JPEG, WebP or SVG, in base64.',
      examples: ['data:image/png;base64,iVBORw0KGgo='],
    }),
  ),
}

export const StatusPageWrite = Type.Object(
  {
    slug,
    title,
    ...Type.Partial(Type.Object(settings)).properties,
    theme: Type.Optional(Type.Partial(Theme, { additionalProperties: false })),
  },
  { title: 'StatusPageWrite', additionalProperties: false },
)
export type StatusPageWrite = Static<typeof StatusPageWrite>

export const StatusPagePatch = Type.Partial(StatusPageWrite, { title: 'StatusPagePatch', additionalProperties: false })

const assignmentSettings = {
  display_name: Nullable(Type.String({ minLength: 1, maxLength: 255, description: 'Shown instead of the name.' })),
  group_name: Type.String({ minLength: 1, maxLength: 100, default: 'General' }),
  order_index: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
  show_uptime: Type.Boolean({ default: true }),
  show_response_time: Type.Boolean({ default: true }),
}

/** Puts a monitor on a page (specification 2.2); doing it again replaces its settings. */
export const AssignmentWrite = Type.Object(
  { monitor_id: Id(), ...Type.Partial(Type.Object(assignmentSettings)).properties },
  { title: 'AssignmentWrite', additionalProperties: false },
)

export const AssignmentPatch = Type.Partial(Type.Object(assignmentSettings), {
  title: 'AssignmentPatch',
  additionalProperties: false,
})
export type AssignmentPatch = Static<typeof AssignmentPatch>

export const Assignment = Type.Object(
  { monitor_id: Id(), name: Type.String(), ...assignmentSettings },
  { title: 'Assignment' },
)
export type Assignment = Static<typeof Assignment>

/** A page in a list (specification 2.1, ruling 25). */
export const StatusPageSummary = Type.Object(
  {
    id: Id(),
    slug,
    title,
    is_public: Type.Boolean(),
    show_history_days: Type.Integer(),
    language: Type.String(),
    theme: Theme,
    monitor_count: Type.Integer({ minimum: 0 }),
    managed_by: ManagedBy(),
  },
  { title: 'StatusPageSummary' },
)
export type StatusPageSummary = Static<typeof StatusPageSummary>

/** A page with its whole configuration. */
export const StatusPage = Type.Object(
  {
    id: Id(),
    slug,
    title,
    ...settings,
    theme: Theme,
    monitors: Type.Array(Assignment),
    managed_by: ManagedBy(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'StatusPage' },
)
export type StatusPage = Static<typeof StatusPage>

/** What the public sees of a page (specification 2.3). */
export const StatusPayload = Type.Object(
  {
    slug: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    is_public: Type.Literal(true),
    language: Type.String(),
    show_history_days: Type.Integer(),
    theme: Theme,
    overall_status: Word(overallStatuses),
    groups: Type.Array(Type.Object({ name: Type.String(), status: Word(overallStatuses) })),
    monitors: Type.Array(
      Type.Object({
        id: Id(),
        name: Type.String(),
        display_name: Nullable(Type.String()),
        group_name: Type.String(),
        current_status: Word(currentStatuses, {
          description: 'unknown, too, where it does not answer in a maintenance window: that is no outage.',
        }),
        in_maintenance: Type.Boolean(),
        response_time_ms: Nullable(Type.Number()),
        last_check: Nullable(Timestamp()),
        show_uptime: Type.Boolean(),
        show_response_time: Type.Boolean(),
      }),
    ),
    incidents: Type.Array(
      Type.Object({
        id: Id(),
        monitor_name: Type.String({
          description: 'The first affected monitor on this page; empty where there is none.',
        }),
        title: Type.String(),
        status: Type.String(),
        severity: Type.String(),
        started_at: Timestamp(),
        resolved_at: Nullable(Timestamp()),
      }),
    ),
    maintenance: Type.Array(ShownMaintenance, {
      description: 'What runs now, the earliest end first; then what starts within seven days, the earliest first.',
    }),
    uptime_history: Type.Array(
      Type.Object({
        date: Type.String({ examples: ['2026-11-21'] }),
        uptime: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
        hasData: Type.Boolean(),
      }),
      { description: 'One point per day, oldest first, UTC.' },
    ),
    updated_at: Timestamp({ description: 'When this was last seen to be so.' }),
  },
  { title: 'StatusPayload' },
)
export type StatusPayload = Static<typeof StatusPayload>
