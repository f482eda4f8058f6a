import type { DeliverySubject, webhookEvents } from '@watchpost/contract'
import type { Static } from 'typebox'

type Sent = Static<(typeof webhookEvents)[keyof typeof webhookEvents]>

/** Whom an event is about: what a line of the delivery log is called by, and leads to. */
export function subjectOf(sent: Sent): DeliverySubject {
  switch (sent.event) {
    case 'monitor.status_changed': {
      const { monitor_id: id, monitor_name: name, new_status: status } = sent.data
      return { type: 'monitor', id, name, status, monitor_ids: [] }
    }
    case 'alert.triggered': {
      const { monitor_id: id, monitor_name: name, status } = sent.data
      return { type: 'monitor', id, name, status, monitor_ids: [] }
    }
    case 'incident.created':
    case 'incident.updated': {
      const { incident_id: id, title: name, status, monitor_ids } = sent.data
      return { type: 'incident', id, name, status, monitor_ids }
    }
    case 'usage.threshold':
      return { type: 'app', id: sent.data.app_id, name: sent.data.app_name, status: null, monitor_ids: [] }
    case 'channel.test':
      return { type: 'channel', id: sent.data.channel_id, name: sent.data.channel_name, status: null, monitor_ids: [] }
  }
}
