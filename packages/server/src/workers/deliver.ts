import type { ChannelType, SentEvent } from '@watchpost/contract'
import {
  type DueDelivery,
  disableChannel,
  dropDeliveries,
  dueDeliveries,
  keepChannelSettings,
  leaseDelivery,
  nextDelivery,
  postponeChannel,
  releaseDeliveries,
  type Step,
  settleDelivery,
} from '@watchpost/store'
import type { ChannelSettings, Delivered } from '../channels/channel.ts'
import { openSettings, sealSettings, unreadable } from '../channels/settings.ts'
import type { Context } from '../context.ts'
import { isForPeople } from '../domain/audience.ts'
import { noticeOf } from '../domain/notice.ts'
import { nextAttemptAt } from '../domain/retry.ts'
import { dispatchPending } from './dispatch.ts'
import { linkOf } from './link.ts'

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
  private readonly stopping = new AbortController()
  /** Channels that are being tried by this process. */
  private readonly busy = new Map<number, Promise<void>>()
  private running: Promise<void> | undefined
  private wake: () => void = () => undefined
  private woken = false

  constructor(context: Context) {
    this.context = context
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
    await Promise.all(Object.values(this.context.channels).map(channel => channel.close()))
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.woken = false
      try {
        while ((await dispatchPending(this.context)) > 0 && !this.stopping.signal.aborted);
        await this.startDue()
        await this.sleep(await this.pause())
      } catch (error) {
        if (this.stopping.signal.aborted) return
        this.context.log.error({ err: error }, 'deliveries are held up; trying again')
        await this.sleep(idleMs)
      }
    }
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
    const { db } = this.context
    // One commit settles what was tried and leases what is next.
    let settling: Step[] = []
    try {
      for (const delivery of queue) {
        const now = this.context.now()
        const answers = await db.commit([...settling.splice(0), leaseStep(delivery, now)])
        const [leased] = answers.at(-1) ?? []
        // Another replica has it, and will go on with the channel; or it was switched off.
        if (leased === undefined) return
        // The channel may have been changed since the queue was read.
        const current = { ...delivery, settings: leased.settings as string }
        const answer = await this.deliver(current, now)
        // Our own stopping is not the receiver's failure: the lease runs out, or the next start gives it up.
        if (!answer.ok && this.stopping.signal.aborted) return
        settling = this.settlement(current, answer)
        if (!answer.ok && !(answer.permanent === true && answer.disable !== true)) break
        if (this.stopping.signal.aborted) break
      }
      if (settling.length > 0) await db.commit(settling)
    } catch (error) {
      // The store's trouble; the lease runs out and the delivery is tried again.
      this.context.log.error({ err: error }, 'a delivery was not settled; trying again')
    }
  }

  private async deliver(delivery: DueDelivery, now: number): Promise<Delivered> {
    const { team_id, channel_id, outbox_id, body } = delivery
    const type = delivery.type as ChannelType
    const event = delivery.event as SentEvent
    let settings: ChannelSettings
    try {
      settings = openSettings(this.context.keyring, { team_id, id: channel_id, settings: delivery.settings })
    } catch {
      return { ok: false, error: unreadable }
    }
    const content = JSON.parse(body)
    const link = isForPeople(type) ? await linkOf(this.context, team_id, content.data) : null
    const notice = noticeOf(event, content, delivery.down_since_at, link)
    const message = { id: outbox_id, event, body, notice }
    return this.context.channels[type].deliver(settings, message, now, this.stopping.signal)
  }

  /** What becomes of a delivery after an attempt, and of its channel. */
  private settlement(delivery: DueDelivery, answer: Delivered): Step[] {
    const { log, keyring } = this.context
    const { team_id, channel_id, outbox_id } = delivery
    const now = this.context.now()
    const steps = settlement(delivery, answer, now)
    if (answer.settings !== undefined) {
      const settings = sealSettings(keyring, { team_id, id: channel_id }, answer.settings)
      steps.push({ query: keepChannelSettings, params: { team_id, id: channel_id, settings, seen: delivery.settings } })
    }
    if (!answer.ok) {
      const attempts = delivery.attempts + 1
      log.warn({ team_id, outbox_id, channel_id, attempts, error: answer.error }, 'delivery failed')
    }
    return steps
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

const keyOf = ({ team_id, outbox_id, channel_id }: DueDelivery) => ({ team_id, outbox_id, channel_id })

function leaseStep(delivery: DueDelivery, now: number): Step {
  return {
    query: leaseDelivery,
    params: { ...keyOf(delivery), seen: delivery.lease_until, until: now + leaseMs },
  }
}

function settlement(delivery: DueDelivery, answer: Delivered, now: number): Step[] {
  const attempts = delivery.attempts + 1
  const again = answer.ok || answer.permanent ? null : nextAttemptAt(attempts, now, Math.random(), answer.retryAfterS)
  const next_at = again === null ? null : Math.round(again)
  const { team_id, channel_id, settings } = delivery
  const settle = {
    ...keyOf(delivery),
    attempts,
    next_at,
    delivered_at: answer.ok ? now : null,
    failed_at: !answer.ok && next_at === null ? now : null,
    error: answer.ok ? null : answer.error,
    response_status: answer.status ?? null,
  }
  const steps: Step[] = [{ query: settleDelivery, params: settle }]
  if (next_at !== null) steps.push({ query: postponeChannel, params: { team_id, channel_id, next_at } })
  if (!answer.ok && answer.disable) {
    const { error } = answer
    steps.push({ query: disableChannel, params: { team_id, id: channel_id, at: now, error, settings } })
    steps.push({ query: dropDeliveries, params: { team_id, channel_id, at: now, error } })
  }
  return steps
}
