import type { ChannelType } from '@watchpost/contract'
import {
  type DueDelivery,
  disableChannel,
  dropDeliveries,
  dueDeliveries,
  fanOut,
  leaseDelivery,
  markDispatched,
  nextDelivery,
  pendingEvents,
  postponeChannel,
  releaseDeliveries,
  type Step,
  settleDelivery,
} from '@watchpost/store'
import { type ChannelKind, type ChannelSettings, channelPurpose, type Delivered } from '../channels/channel.ts'
import type { Context } from '../context.ts'
import { nextAttemptAt } from '../domain/retry.ts'

/** How long one attempt may hold a delivery; longer than any attempt takes. */
const leaseMs = 45_000
/** Other replicas commit events too, and their clocks and ours differ: look at least this often. */
const idleMs = 1000
const batch = 200

/**
 * Brings committed events to the channels of their team. Every step is a row, so a crash anywhere loses nothing; an
 * attempt that was under way is made again under the same `webhook-id`.
 */
export class DeliveryWorker {
  private readonly context: Context
  private readonly channels: Record<ChannelType, ChannelKind>
  private readonly stopping = new AbortController()
  /** Channels that are being tried by this process. */
  private readonly busy = new Map<number, Promise<void>>()
  private running: Promise<void> | undefined
  private wake: () => void = () => undefined
  private woken = false

  constructor(context: Context, channels: Record<ChannelType, ChannelKind>) {
    this.context = context
    this.channels = channels
  }

  /** @param alone whether no other process can hold a lease: those that are there are of a past life */
  async start(alone: boolean): Promise<void> {
    if (alone) await this.context.db.commit([{ query: releaseDeliveries, params: {} }])
    this.running = this.loop()
  }

  /** An event was committed: do not wait for the next look. */
  notify(): void {
    this.woken = true
    this.wake()
  }

  /** Ends the attempts under way; what they did not settle is tried again by whoever runs next. */
  async stop(): Promise<void> {
    this.stopping.abort()
    this.wake()
    await this.running
    await Promise.allSettled(this.busy.values())
    await Promise.all(Object.values(this.channels).map(channel => channel.close()))
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = false
      try {
        while ((await this.dispatch()) > 0 && !this.stopping.signal.aborted);
        await this.startDue()
        await this.sleep(await this.pause())
      } catch (error) {
        if (this.stopping.signal.aborted) return
        this.context.log.error({ err: error }, 'deliveries are held up; trying again')
        await this.sleep(idleMs)
      }
    }
  }

  /** Makes a delivery row for each channel an event concerns; the event is done with in the same commit. */
  private async dispatch(): Promise<number> {
    const { db } = this.context
    const now = this.context.now()
    const events = await db.all(pendingEvents, { limit: batch })
    await Promise.all(
      events.map(({ team_id, id, created_at }) =>
        db.commit([
          { query: fanOut, params: { team_id, outbox_id: id, now, created_at } },
          { query: markDispatched, params: { team_id, outbox_id: id, now } },
        ]),
      ),
    )
    return events.length
  }

  /** Starts a queue for each channel that has something due; a slow receiver holds up nobody but itself. */
  private async startDue(): Promise<void> {
    const busy = [...this.busy.keys()]
    const due = await this.context.db.all(dueDeliveries, { now: this.context.now(), busy, limit: batch })
    for (const [channel_id, queue] of Map.groupBy(due, delivery => delivery.channel_id)) {
      if (this.stopping.signal.aborted) return
      this.busy.set(
        channel_id,
        this.deliverAll(queue).finally(() => {
          this.busy.delete(channel_id)
          // There may be more for this channel than one look took.
          this.notify()
        }),
      )
    }
  }

  /** In the order in which things happened, until one attempt fails: what came later must not arrive earlier. */
  private async deliverAll(queue: DueDelivery[]): Promise<void> {
    try {
      for (const delivery of queue) if (!(await this.attempt(delivery))) return
    } catch (error) {
      // The store's trouble; the lease runs out and the delivery is tried again.
      this.context.log.error({ err: error }, 'a delivery was not settled; trying again')
    }
  }

  /** @returns whether the next of the channel may be tried */
  private async attempt(delivery: DueDelivery): Promise<boolean> {
    const { context } = this
    const now = context.now()
    const key = { team_id: delivery.team_id, outbox_id: delivery.outbox_id, channel_id: delivery.channel_id }
    const [leased] = await context.db.commit([
      { query: leaseDelivery, params: { ...key, seen: delivery.lease_until, until: now + leaseMs } },
    ])
    // Another replica has it, and will go on with the channel.
    if (leased?.length === 0) return false

    const answer = await this.deliver(delivery, now)
    // Our own stopping is not the receiver's failure: the lease runs out, or the next start gives it up.
    if (!answer.ok && this.stopping.signal.aborted) return false
    await context.db.commit(settlement(delivery, key, answer, context.now()))
    if (!answer.ok) {
      context.log.warn({ ...key, attempts: delivery.attempts + 1, error: answer.error }, 'delivery failed')
    }
    return answer.ok || (answer.permanent === true && answer.disable !== true)
  }

  private async deliver(delivery: DueDelivery, now: number): Promise<Delivered> {
    const purpose = channelPurpose(delivery.team_id, delivery.channel_id)
    let settings: ChannelSettings
    try {
      settings = JSON.parse(this.context.keyring.open(delivery.settings, purpose))
    } catch {
      return { ok: false, error: 'The settings of the channel cannot be read; is WATCHPOST_INSTANCE_KEY another one?' }
    }
    const message = { id: delivery.outbox_id, event: delivery.event, body: delivery.body }
    return this.channels[delivery.type as ChannelType].deliver(settings, message, now, this.stopping.signal)
  }

  /** Until the next is due, and never long: other replicas commit events too. */
  private async pause(): Promise<number> {
    const now = this.context.now()
    const next = (await this.context.db.one(nextDelivery, { now }))?.at ?? null
    return next === null ? idleMs : Math.min(idleMs, Math.max(10, next - now))
  }

  private async sleep(ms: number): Promise<void> {
    if (this.woken || this.stopping.signal.aborted) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

function settlement(
  delivery: DueDelivery,
  key: { team_id: number; outbox_id: string; channel_id: number },
  answer: Delivered,
  now: number,
): Step[] {
  const attempts = delivery.attempts + 1
  const again = answer.ok || answer.permanent ? null : nextAttemptAt(attempts, now, Math.random(), answer.retryAfterS)
  const next_at = again === null ? null : Math.round(again)
  const { team_id, channel_id } = key
  const settle = {
    ...key,
    attempts,
    next_at,
    delivered_at: answer.ok ? now : null,
    failed_at: !answer.ok && next_at === null ? now : null,
    error: answer.ok ? null : answer.error,
  }
  const steps: Step[] = [{ query: settleDelivery, params: settle }]
  if (next_at !== null) steps.push({ query: postponeChannel, params: { team_id, channel_id, next_at } })
  if (!answer.ok && answer.disable) {
    steps.push({ query: disableChannel, params: { team_id, id: channel_id, at: now } })
    steps.push({ query: dropDeliveries, params: { team_id, channel_id, at: now, error: answer.error } })
  }
  return steps
}
