import Type, { type Static } from 'typebox'
import { monitorStatuses } from './monitor.ts'
import { Id, Nullable, Timestamp, Word } from './scalar.ts'

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

/** Every event a webhook may receive. */
export const webhookEvents = { 'monitor.status_changed': MonitorStatusChanged }
