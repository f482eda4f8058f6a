import { isIPv6 } from 'node:net'
import Type, { type Static } from 'typebox'
import type { CheckType } from './check-type.ts'
import { Failure } from './failure.ts'
import { Fping, FpingUnusable } from './fping.ts'
import { beforeDeadline, look } from './look.ts'
import { runPing } from './ping-process.ts'
import type { PingReport } from './ping-report.ts'
import { resolve } from './resolve.ts'
import { parseHost } from './target.ts'

const secondsBetween = 0.2
/** Where each ping is a process of its own they are slow when many. With fping one in flight is a line of text. */
const processesAtOnce = 10
const packetsOverGeneral = 10

const fping = new Fping()

const Options = Type.Object({
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 3, description: 'Packets to send.' })),
  max_loss_percent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      default: 50,
      description: 'Losing more is a failure; losing all always is.',
    }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 16, maximum: 65_507, default: 56, description: 'Bytes of data in a packet.' }),
  ),
})
type Options = Static<typeof Options>

/** Sends echo requests with fping or the system's ping; the response time is the mean of the round trips. */
export const ping: CheckType = {
  options: Options,
  parseTarget: target => void parseHost(target),
  concurrency: general => (fping.usable(4) ? general * packetsOverGeneral : Math.min(general, processesAtOnce)),
  run: (check, signal, policy) =>
    look(check, signal, policy, async seen => {
      const { count = 3, max_loss_percent = 50, size = 56 } = check.options as Options
      const until = performance.now() + check.timeout * 1000
      const ip = await resolve(seen, parseHost(check.target).host)
      const report = await echo(ip, { count, size, seconds: check.timeout, until }, signal)
      if (report.average !== null) seen.watch.answered(report.average)
      Object.assign(seen.details, {
        packets_sent: count,
        packets_received: report.received,
        loss_percent: report.lossPercent,
        rtt_min_ms: report.min,
        rtt_avg_ms: report.average,
        rtt_max_ms: report.max,
        rtt_stddev_ms: report.deviation,
      })
      if (report.lossPercent === 100 || report.lossPercent > max_loss_percent) {
        const remark = report.remark === undefined ? '' : ` (${report.remark})`
        throw new Failure('packet_loss', `${ip} answered ${report.received} of ${count} packets${remark}.`)
      }
    }),
}

/** Which program pings on this host, as far as is known: fping is tried before it is trusted. */
export const pinger = (): 'fping' | 'ping' => (fping.usable(4) ? 'fping' : 'ping')

interface Wanted {
  count: number
  size: number
  /** Of the whole check, and when they are over in monotonic milliseconds. */
  seconds: number
  until: number
}

/** Through fping where that can be, otherwise with a process of the system's ping. */
async function echo(ip: string, { count, size, seconds, until }: Wanted, signal: AbortSignal): Promise<PingReport> {
  const family = isIPv6(ip) ? 6 : 4
  // The last packet leaves after the gaps between them; how long it may be waited for is what then remains. Half a
  // second of that belongs to the ping program, which must report before the deadline kills it.
  const gap = Math.min(secondsBetween, Math.max(0.01, (seconds - 0.7) / count))
  if (fping.usable(family, size)) {
    try {
      const timeout = Math.max(1, until - performance.now())
      return await fping.ping({ ip, family, count, size, gap: Math.round(gap * 1000), timeout }, signal)
    } catch (error) {
      if (!(error instanceof FpingUnusable)) throw error
    }
  }
  const wait = Math.max(0.2, (until - performance.now()) / 1000 - (count - 1) * gap - 0.5)
  const extra = ['-i', gap.toFixed(3), ...(family === 6 ? ['-6'] : [])]
  return beforeDeadline(
    signal,
    runPing(ip, { min_reply: count, timeout: wait, packetSize: size, numeric: true, v6: family === 6, extra }, signal),
    () => new Failure('packet_loss', `${ip} did not answer within ${seconds} s.`),
  )
}
