import type { SentEvent } from '@watchpost/contract'
import type { Notice } from '../domain/notice.ts'

/** What a channel needs to be reached; stored encrypted. Each kind has its own. */
export type ChannelSettings = object

/** What sealed settings are bound to: they open as the settings of this channel only. */
export const channelPurpose = (team_id: number, id: number): string => `channel ${team_id}/${id}`

/** An event on its way to one channel. */
export interface Message {
  /** Same for every attempt and every channel: receivers know a repeat by it. */
  id: string
  event: SentEvent
  /** The documented JSON body, as committed with what happened. */
  body: string
  /** The same in words, for people. */
  notice: Notice
}

/** Whether it arrived, and if not, whether trying again can help. */
export type Delivered = {
  /** What the receiver answered, where it speaks HTTP. */
  status?: number
  /** What the channel is reached by from now on, where the receiver has said so. */
  settings?: ChannelSettings
} & (
  | { ok: true }
  | {
      ok: false
      /** For people, without address or secret. */
      error: string
      /** This message will never arrive; others may. */
      permanent?: boolean
      /** None will ever arrive. */
      disable?: boolean
      retryAfterS?: number
    }
)

/** The seam: one kind of channel, one file, one line in `index.ts`. Never throws for what a receiver does. */
export interface ChannelKind<S extends ChannelSettings = ChannelSettings> {
  /** Lets go of connections; called once, at the end. */
  close(): Promise<void>
  deliver(settings: S, message: Message, now: number, signal: AbortSignal): Promise<Delivered>
}
