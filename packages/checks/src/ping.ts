import { isIPv6 } from 'node:net'
import Type, { type Static } from 'typebox'
import type { CheckType } from './check-type.ts'
import { Failure } from './failure.ts'
import { beforeDeadline, look } from './look.ts'
import { runPing } from './ping-process.ts'
import { resolve } from './resolve.ts'
import { parseHost } from './target.ts'

const secondsBetween = 0.2

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

/** Sends echo requests with the system's ping; the response time is the mean of the round trips. */
export const ping: CheckType = {
  options: Options,
  parseTarget: target => void parseHost(target),
  run: (check, signal, policy) =>
    look(check, signal, policy, async seen => {
      const { count = 3, max_loss_percent = 50, size = 56 } = check.options as Options
      const ip = await resolve(seen, parseHost(check.target).host)
      const v6 = isIPv6(ip)
      // The last packet leaves after the gaps between them; how long it may be waited for is what then remains. Half a
      // second of that belongs to the program itself, which must report before the deadline kills it.
      const gap = Math.min(secondsBetween, Math.max(0.01, (check.timeout - 0.7) / count))
      const wait = Math.max(0.2, check.timeout - (count - 1) * gap - 0.5)
      const extra = ['-i', gap.toFixed(3), ...(v6 ? ['-6'] : [])]
      const report = await beforeDeadline(
        signal,
        runPing(ip, { min_reply: count, timeout: wait, packetSize: size, numeric: true, v6, extra }, signal),
        () => new Failure('packet_loss', `${ip} did not answer within ${check.timeout} s.`),
      )

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
        throw new Failure('packet_loss', `${ip} answered ${report.received} of ${count} packets.`)
      }
    }),
}
