import type { ChannelType, EventName } from '@watchpost/contract'

/** A channel, and what it chose; null for everything. */
export interface Listener {
  id: number
  type: ChannelType
  events: readonly string[] | null
  monitor_ids: readonly number[] | null
  created_at: number
}

/** An event as far as it matters who gets it. */
export interface Happening {
  event: EventName
  data: {
    monitor_id?: number
    monitor_ids?: readonly number[]
    old_status?: string
    new_status?: string
    reason?: string
  }
  created_at: number
  /** Says again what a status change has said: the incident that a monitor opens or resolves. */
  echo: boolean
  /** When the outage began that it is about. */
  down_since_at: number | null
}

/** Whether its messages are read by people, and not by a program. */
export const isForPeople = (type: ChannelType): boolean => type !== 'webhook'

/** The channels that get an event: those that were there when it happened, and want it. */
export function audienceOf<L extends Listener>(listeners: readonly L[], happening: Happening): L[] {
  return listeners.filter(listener => listener.created_at <= happening.created_at && wants(listener, happening))
}

function wants(listener: Listener, happening: Happening): boolean {
  if (!concerns(listener, happening.data)) return false
  if (!isForPeople(listener.type)) return chose(listener, happening.event)
  switch (happening.event) {
    case 'monitor.status_changed':
      return hearsOfStatus(listener) && isNews(happening)
    // The alert of a status change is that notification itself, so people would be told twice.
    case 'alert.triggered':
      return happening.data.reason === 'reminder' && chose(listener, 'alert.triggered')
    default:
      return chose(listener, happening.event) && !(happening.echo && hearsOfStatus(listener))
  }
}

/** Either word means being told of outages: the change is what happened, the alert is the telling. */
function hearsOfStatus(listener: Listener): boolean {
  return chose(listener, 'monitor.status_changed') || chose(listener, 'alert.triggered')
}

const chose = ({ events }: Listener, event: EventName): boolean => events === null || events.includes(event)

/** A channel that chose monitors gets what is about one of them; what is about none is not for it. */
function concerns({ monitor_ids }: Listener, data: Happening['data']): boolean {
  if (monitor_ids === null) return true
  const about = data.monitor_ids ?? (data.monitor_id === undefined ? [] : [data.monitor_id])
  return about.some(id => monitor_ids.includes(id))
}

/** That something works which nobody was told is down, as after it was made or resumed, is nothing to wake people for. */
function isNews({ data, down_since_at }: Happening): boolean {
  return !(data.old_status === 'pending' && data.new_status === 'online' && down_since_at === null)
}
