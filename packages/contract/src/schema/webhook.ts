import Type, { type Static } from 'typebox'
import { IncidentSummary, IncidentUpdate, incidentStatuses } from './incident.ts'
import { monitorStatuses } from './monitor.ts'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'
import { quotaNames } from './usage.ts'

/** Sent when a monitor's status changes (specification, section 6). */
export const MonitorStatusChanged = Type.Object(
  {
    event: Type.Literal('monitor.status_changed'),
    timestamp: Timestamp(),
    data: Type.Object({
      monitor_id: Id(),
      monitor_name: Type.String(),
      old_status: Word(monitorStatuses),
      new_status: Word(monitorStatuses),
      response_time: Nullable(Type.Number({ description: 'Milliseconds.' })),
      error_message: Nullable(Type.String()),
    }),
  },
  { title: 'MonitorStatusChanged' },
)
export type MonitorStatusChanged = Static<typeof MonitorStatusChanged>

// A description is for the team, and a webhook may lead anywhere.
const { id, description: _, created_at: _created, updated_at: _updated, ...shown } = IncidentSummary.properties
const incidentData = { incident_id: id, ...shown }

/** Sent when an incident is opened, by a person or by a monitor that went offline. */
export const IncidentCreated = Type.Object(
  { event: Type.Literal('incident.created'), timestamp: Timestamp(), data: Type.Object(incidentData) },
  { title: 'IncidentCreated' },
)
export type IncidentCreated = Static<typeof IncidentCreated>

/** Sent when an incident is changed, gets an update, is resolved or reopened. */
export const IncidentUpdated = Type.Object(
  {
    event: Type.Literal('incident.updated'),
    timestamp: Timestamp(),
    data: Type.Object({
      ...incidentData,
      old_status: Word(incidentStatuses),
      update: Nullable(IncidentUpdate),
    }),
  },
  { title: 'IncidentUpdated' },
)
export type IncidentUpdated = Static<typeof IncidentUpdated>

/** Sent when an app has used half, four fifths or all of a quota, or when its top-up runs low (ruling 27). */
export const UsageThreshold = Type.Object(
  {
    event: Type.Literal('usage.threshold'),
    timestamp: Timestamp(),
    data: Type.Object({
      app_id: Id(),
      app_name: Type.String(),
      reason: Word(['quota_used', 'low_balance']),
      severity: Word(['info', 'warning', 'critical']),
      quota_type: Word(quotaNames),
      threshold: Type.Integer({ description: 'Percent: 50, 80 or 100 of the quota, or 10 of the last top-up.' }),
      period: Type.String({ description: 'YYYY-MM, UTC.' }),
      limit: Type.Integer(),
      used: Type.Integer(),
      top_up_balance: Type.Integer({ description: 'What is left to draw on.' }),
      reset_at: Timestamp({ description: 'When the month ends.' }),
    }),
  },
  { title: 'UsageThreshold' },
)
export type UsageThreshold = Static<typeof UsageThreshold>
/** Why people are alerted: a monitor's status changed, or it is offline still (option `reminder_interval`). */
export const alertReasons = ['status_changed', 'reminder'] as const

/**
 * Sent beside each alert to people (ruling 26): once for a status change that people channels are told of, and at
 * every reminder.
 */
export const AlertTriggered = Type.Object(
  {
    event: Type.Literal('alert.triggered'),
    timestamp: Timestamp(),
    data: Type.Object({
      monitor_id: Id(),
      monitor_name: Type.String(),
      status: Word(monitorStatuses),
      reason: Word(alertReasons),
      since: Nullable(Timestamp({ description: 'When the outage began.' })),
      error_message: Nullable(Type.String()),
      channel_ids: Type.Array(Id(), { description: 'Channels through which people are told.' }),
    }),
  },
  { title: 'AlertTriggered' },
)
export type AlertTriggered = Static<typeof AlertTriggered>

/** Sent to one channel when somebody tests it. */
export const ChannelTested = Type.Object(
  {
    event: Type.Literal('channel.test'),
    timestamp: Timestamp(),
    data: Type.Object({ channel_id: Id(), channel_name: Type.String() }),
  },
  { title: 'ChannelTested' },
)
export type ChannelTested = Static<typeof ChannelTested>

/** Every event a webhook may receive. */
export const webhookEvents = {
  'monitor.status_changed': MonitorStatusChanged,
  'incident.created': IncidentCreated,
  'incident.updated': IncidentUpdated,
  'usage.threshold': UsageThreshold,
  'alert.triggered': AlertTriggered,
  'channel.test': ChannelTested,
}
export type SentEvent = keyof typeof webhookEvents
export const sentEvents = Object.keys(webhookEvents) as SentEvent[]

/** Events that a channel can choose; a test is always for the one it is made for. */
export type EventName = Exclude<SentEvent, 'channel.test'>
export const eventNames = sentEvents.filter((name): name is EventName => name !== 'channel.test')
