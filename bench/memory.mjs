// Resident memory of the probe: with 1,000 checks in flight against a target that answers after a second, beside
// blackbox_exporter; and holding 10,000 monitors of a minute's interval.
import { join } from 'node:path'
import { startBlackbox } from './blackbox.mjs'
import { flags, median, needs, root, rssOf, start, table } from './lib.mjs'
import { startProbe } from './probe.mjs'

const given = flags({ rounds: 3, seconds: 15, inFlight: 1000, monitors: 10_000, held: 75 })
const [rounds, seconds, inFlight, monitors, held] = Object.values(given).map(Number)
needs({ 'prometheus-blackbox-exporter': 'prometheus-blackbox-exporter', wrk: 'wrk' })

const slow = await start(process.execPath, [join(root, 'bench/slow.mjs'), '1000'])
const quick = await start(process.execPath, [join(root, 'bench/slow.mjs'), '1'])
const addresses = ({ port }) => Array.from({ length: 16 }, (_, index) => `http://127.0.0.${index + 1}:${port}/`)
const seen = { busy: [], peer: [], held: [] }
for (let round = 0; round < rounds; round++) {
  const busy = { type: 'http', targets: addresses(slow.ready), monitors: inFlight * 2, interval: 1 }
  seen.busy.push(await most(busy, inFlight, seconds))
  const blackbox = await startBlackbox()
  const job = { module: 'http_2xx', targets: addresses(slow.ready), connections: inFlight, seconds }
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, rssOf(blackbox.pid))
  }, 200)
  await blackbox.run(job)
  clearInterval(watch)
  blackbox.stop()
  seen.peer.push(peak)
  // For longer than a minute: each has been checked by then.
  seen.held.push(await most({ type: 'http', targets: addresses(quick.ready), monitors, interval: 60 }, 100, held))
}
await slow.stop()
await quick.stop()
const megabytes = all => [median(all), ...all].map(each => (each / 1e6).toFixed(0))
const row = (name, all) => {
  const [middle, ...rest] = megabytes(all)
  return [name, middle, rest.join(' ')]
}
table(
  ['resident memory at most', 'MB', 'rounds'],
  [
    row(`probe, ${inFlight} checks in flight`, seen.busy),
    row(`blackbox_exporter, ${inFlight} checks in flight`, seen.peer),
    row(`probe, ${monitors} monitors every minute`, seen.held),
  ],
)
process.exit(0)

/** The most that the probe has held while it did this. */
async function most(job, concurrency, seconds) {
  const probe = await startProbe(job, concurrency)
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, probe.rss())
  }, 200)
  await probe.run(seconds)
  clearInterval(watch)
  await probe.stop()
  return peak
}
