import Type, { type Static, type TObject } from 'typebox'
import { ChannelWrite } from './channel.ts'
import { MaintenanceWindowWrite } from './maintenance.ts'
import { MonitorWrite } from './monitor.ts'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'
import { AssignmentWrite, StatusPageWrite } from './status-page.ts'

/** What files may hold, by the heading it stands under. */
export const resourceKinds = ['monitors', 'status_pages', 'channels', 'maintenance'] as const
export type ResourceKind = (typeof resourceKinds)[number]

/** The field that a thing of each kind is known by. */
export const keyOfKind = { monitors: 'name', status_pages: 'slug', channels: 'name', maintenance: 'name' } as const

const MonitorRef = Type.Unsafe<string | number>(
  Type.Union([Type.String({ minLength: 1, maxLength: 255 }), Id()], {
    description: 'Name of a monitor, in the files or on the server; its id where several have the name.',
  }),
)
const id = Type.Optional(Id({ description: 'Only where several things have the same name.' }))

const without = <T extends object, K extends keyof T>(properties: T, names: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name as K))) as Omit<T, K>

export const MonitorItem = Type.Object(
  { id, ...MonitorWrite.properties },
  { title: 'MonitorItem', additionalProperties: false },
)
export type MonitorItem = Static<typeof MonitorItem>

const shownFields = Type.Object(
  { monitor: MonitorRef, ...without(AssignmentWrite.properties, ['monitor_id']) },
  { title: 'ShownMonitorItem', additionalProperties: false },
)
export type ShownItem = Static<typeof shownFields>

/** A monitor on a page: its name, or more. No choice of schemas: what is wrong would be said of each. */
const Shown = Type.Unsafe<ShownItem | string | number>({
  ...JSON.parse(JSON.stringify(shownFields)),
  type: ['string', 'integer', 'object'],
  minLength: 1,
  maxLength: 255,
  minimum: 1,
  description: 'Name of a monitor, or its id where several have the name; or its name and how it is shown.',
})

export const StatusPageItem = Type.Object(
  {
    id,
    ...StatusPageWrite.properties,
    monitors: Type.Optional(
      Type.Array(Shown, { maxItems: 5000, description: 'Monitors on the page; left out, those on it stay.' }),
    ),
  },
  { title: 'StatusPageItem', additionalProperties: false },
)
export type StatusPageItem = Static<typeof StatusPageItem>

export const ChannelItem = Type.Object(
  {
    id,
    ...without(ChannelWrite.properties, ['monitor_ids']),
    monitors: Type.Optional(
      Type.Array(MonitorRef, { maxItems: 200, description: 'Monitors whose events it gets; none named is all.' }),
    ),
    secret: Type.Optional(
      Type.String({
        pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}$',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
        description: 'whsec_ and 24 to 64 bytes as base64: what a webhook signs with; left out, it stays.',
      }),
    ),
  },
  { title: 'ChannelItem', additionalProperties: false },
)
export type ChannelItem = Static<typeof ChannelItem>

export const MaintenanceItem = Type.Object(
  {
    id,
    name: Name({ description: 'Its title; public.', examples: ['Database upgrade'] }),
    ...without(MaintenanceWindowWrite.properties, ['title', 'monitor_ids']),
    monitors: Type.Optional(
      Type.Array(MonitorRef, { maxItems: 1000, description: 'Monitors it is about; at least one, or all_monitors.' }),
    ),
  },
  { title: 'MaintenanceItem', additionalProperties: false },
)
export type MaintenanceItem = Static<typeof MaintenanceItem>

const listOf = <S extends TObject>(item: S, maxItems: number) => Type.Optional(Type.Array(item, { maxItems }))

/** What files say: things by name, and everything of each; what they leave out takes its default. */
export const Resources = Type.Object(
  {
    monitors: listOf(MonitorItem, 10_000),
    status_pages: listOf(StatusPageItem, 1000),
    channels: listOf(ChannelItem, 1000),
    maintenance: listOf(MaintenanceItem, 1000),
  },
  { title: 'Resources', additionalProperties: false },
)
export type Resources = Static<typeof Resources>

const asked = {
  resources: Resources,
  source: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[\\w][\\w ./@:-]*$',
      default: 'monitorctl',
      description: 'Letters, digits and _ . / @ : - and spaces: who manages what is made and changed.',
    }),
  ),
  prune: Type.Optional(
    Type.Boolean({ default: false, description: 'Delete what this source manages and the files no longer name.' }),
  ),
  adopt: Type.Optional(
    Type.Boolean({ default: false, description: 'Manage, from now on, also what is as the files say, or another’s.' }),
  ),
  secrets: Type.Optional(
    Type.Array(Type.String({ maxLength: 500 }), {
      maxItems: 20_000,
      default: [],
      description: 'Paths of values that no answer may show, such as monitors.0.options.body.',
    }),
  ),
}

export const PlanWrite = Type.Object(asked, { title: 'PlanWrite', additionalProperties: false })
export type PlanWrite = Static<typeof PlanWrite>

export const ApplyWrite = Type.Object(
  {
    ...asked,
    plan_token: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Of the plan that was agreed to; 409 where it would be another by now.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ default: false, description: 'true: only the plan.' })),
  },
  { title: 'ApplyWrite', additionalProperties: false },
)
export type ApplyWrite = Static<typeof ApplyWrite>

export const planActions = ['create', 'update', 'delete', 'adopt'] as const
export type PlanAction = (typeof planActions)[number]

const PropertyChange = Type.Object(
  {
    path: Type.String({ examples: ['options.keyword'] }),
    old: Type.Unknown({ description: 'null where there was nothing; *** for a secret.' }),
    new: Type.Unknown({ description: 'null where there will be nothing; *** for a secret.' }),
  },
  { title: 'PropertyChange' },
)
export type PropertyChange = Static<typeof PropertyChange>

const PlannedChange = Type.Object(
  {
    kind: Word(resourceKinds),
    key: Type.String({ description: 'Its name, or slug.' }),
    id: Nullable(Id({ description: 'null until it is made.' })),
    action: Word(planActions, {
      description: 'adopt: it is as the files say already, and managed by them from now on.',
    }),
    properties: Type.Array(PropertyChange),
  },
  { title: 'PlannedChange' },
)
export type PlannedChange = Static<typeof PlannedChange>

/** What an apply does, or did. */
export const ChangePlan = Type.Object(
  {
    source: Type.String(),
    applied: Type.Boolean(),
    plan_token: Type.String(),
    summary: Type.Object({
      create: Type.Integer(),
      update: Type.Integer(),
      delete: Type.Integer(),
      adopt: Type.Integer(),
      unchanged: Type.Integer(),
    }),
    changes: Type.Array(PlannedChange),
  },
  { title: 'ChangePlan' },
)
export type ChangePlan = Static<typeof ChangePlan>

/** What a backtest is asked. */
export const BacktestWrite = Type.Object(
  {
    resources: Resources,
    since: Timestamp({ description: 'From when on; single checks are kept for seven days.' }),
  },
  { title: 'BacktestWrite', additionalProperties: false },
)

const Outage = Type.Object(
  {
    opened_at: Timestamp(),
    resolved_at: Nullable(Timestamp()),
    checks: Type.Integer(),
    error: Nullable(Type.String()),
  },
  { title: 'BacktestOutage' },
)
export type Outage = Static<typeof Outage>

export const BacktestedMonitor = Type.Object(
  {
    monitor_id: Id(),
    name: Type.String(),
    checks: Type.Integer({ description: 'Attempts that were replayed.' }),
    from: Nullable(Timestamp({ description: 'Of the first of them.' })),
    would: Type.Array(Outage, { description: 'Under the settings of the file.' }),
    did: Type.Array(Outage, { description: 'Under those the monitor has.' }),
  },
  { title: 'BacktestedMonitor' },
)
export type BacktestedMonitor = Static<typeof BacktestedMonitor>

export const Backtest = Type.Object(
  {
    since: Timestamp(),
    monitors: Type.Array(BacktestedMonitor),
    unknown: Type.Array(Type.String(), { description: 'Names in the files that the server has no monitor of.' }),
    notes: Type.Array(Type.String(), { description: 'What the replay could not take into account.' }),
  },
  { title: 'Backtest' },
)
export type Backtest = Static<typeof Backtest>
