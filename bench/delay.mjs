// How late the main thread of a process comes to what is due, in ms: loaded before a server (`--import`), or alone, which says
// what the machine itself takes. A line of JSON for each SIGUSR2, of what was since the one before.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolution = 1
const delay = monitorEventLoopDelay({ resolution })
delay.enable()
process.on('SIGUSR2', () => {
  const late = nanos => Math.max(0, nanos / 1e6 - resolution)
  const seen = { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) }
  delay.reset()
  process.stdout.write(`${JSON.stringify(seen)}\n`)
})

if (process.argv[1] === import.meta.filename) {
  setInterval(() => undefined, 60_000)
  process.stdout.write('{"ready":true}\n')
}
