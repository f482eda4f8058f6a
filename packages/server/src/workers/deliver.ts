import type { ChannelType } from '@watchpost/contract'
import {
  type DueDelivery,
  disableChannel,
  dueDeliveries,
  fanOut,
  leaseDelivery,
  markDispatched,
  nextDelivery,
  pendingEvents,
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
const batch = 50

/**
 * Brings committed events to the channels of their team. Every step is a row, so a crash anywhere loses nothing; an
 * attempt that was under way is made again under the same `webhook-id`.
 */
export class DeliveryWorker {
  private readonly context: Context
  private readonly channels: Record<ChannelType, ChannelKind>
  private readonly stopping = new AbortController()
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
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = false
      try {
        while ((await this.dispatch()) + (await this.deliverDue()) > 0 && !this.stopping.signal.aborted);
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
    const events = await db.all(pendingEvents, { limit: batch })
    for (const { team_id, id, created_at } of events) {
      const key = { team_id, outbox_id: id, now: this.context.now() }
      await db.commit([
        { query: fanOut, params: { ...key, created_at } },
        { query: markDispatched, params: key },
      ])
    }
    return events.length
  }

  private async deliverDue(): Promise<number> {
    const due = await this.context.db.all(dueDeliveries, { now: this.context.now(), limit: batch })
    // In the order of the events at each channel; a slow receiver holds up only itself.
    const queues = Map.groupBy(due, delivery => delivery.channel_id)
    const settled = await Promise.all(
      [...queues.values()].map(async queue => {
        let count = 0
        for (const delivery of queue) {
          const delivered = await this.attempt(delivery)
          count++
          if (!delivered) break
        }
        return count
      }),
    )
    return settled.reduce((sum, count) => sum + count, 0)
  }

  /** @returns whether it arrived: if not, the next to the same channel would most likely fail as well */
  private async attempt(delivery: DueDelivery): Promise<boolean> {
    const { context } = this
    const now = context.now()
    const key = { team_id: delivery.team_id, outbox_id: delivery.outbox_id, channel_id: delivery.channel_id }
    const [leased] = await context.db.commit([
      { query: leaseDelivery, params: { ...key, seen: delivery.lease_until, until: now + leaseMs } },
    ])
    if (leased?.length === 0) return true

    const settings: ChannelSettings = JSON.parse(
      context.keyring.open(delivery.settings, channelPurpose(delivery.team_id, delivery.channel_id)),
    )
    const message = { id: delivery.outbox_id, event: delivery.event, body: delivery.body }
    const kind = this.channels[delivery.type as ChannelType]
    const answer = await kind.deliver(settings, message, now, this.stopping.signal)
    // Our own stopping is not the receiver's failure: the lease runs out, or the next start gives it up.
    if (!answer.ok && this.stopping.signal.aborted) return false
    await context.db.commit(settlement(delivery, key, answer, context.now()))
    if (!answer.ok) {
      context.log.warn({ ...key, attempts: delivery.attempts + 1, error: answer.error }, 'delivery failed')
    }
    return answer.ok
  }

  private async pause(): Promise<number> {
    const next = (await this.context.db.one(nextDelivery, {}))?.at ?? null
    return next === null ? idleMs : Math.min(idleMs, Math.max(10, next - this.context.now()))
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
  const next_at = answer.ok || answer.permanent ? null : nextAttemptAt(attempts, now, Math.random(), answer.retryAfterS)
  const steps: Step[] = [
    {
      query: settleDelivery,
      params: {
        ...key,
        attempts,
        next_at: next_at === null ? null : Math.round(next_at),
        delivered_at: answer.ok ? now : null,
        failed_at: !answer.ok && next_at === null ? now : null,
        error: answer.ok ? null : answer.error,
      },
    },
  ]
  if (!answer.ok && answer.disable) {
    steps.push({ query: disableChannel, params: { team_id: key.team_id, id: key.channel_id, at: now } })
  }
  return steps
}
