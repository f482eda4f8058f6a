/** What a channel needs to be reached; stored encrypted. */
export interface ChannelSettings {
  url: string
  /** Standard Webhooks secret, `whsec_…`. */
  secret: string
}

/** What sealed settings are bound to: they open as the settings of this channel only. */
export const channelPurpose = (team_id: number, id: number): string => `channel ${team_id}/${id}`

/** An event on its way to one channel. */
export interface Message {
  /** Same for every attempt and every channel: receivers know a repeat by it. */
  id: string
  event: string
  /** The documented JSON body, as committed with what happened. */
  body: string
}

/** Whether it arrived, and if not, whether trying again can help. */
export type Delivered =
  | { ok: true }
  | { ok: false; error: string; permanent?: boolean; disable?: boolean; retryAfterS?: number }

/** The seam: one kind of channel, one file, one line in `index.ts`. Never throws for what a receiver does. */
export interface ChannelKind {
  /** Lets go of connections; called once, at the end. */
  close(): Promise<void>
  deliver(settings: ChannelSettings, message: Message, now: number, signal: AbortSignal): Promise<Delivered>
}
