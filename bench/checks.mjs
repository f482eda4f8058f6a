// CPU seconds of 1,000 checks: our probe's whole way (fetch, run, report) beside the /probe handler of blackbox_exporter,
// both as busy as they can be with so many checks at once, on the same targets.
import { startBlackbox } from './blackbox.mjs'
import { flags, median, needs, table } from './lib.mjs'
import { startProbe } from './probe.mjs'
import { checks, startTargets } from './targets.mjs'

const given = flags({ rounds: 5, seconds: 4, warm: 3, concurrency: 100, types: Object.keys(checks).join(',') })
const [rounds, seconds, warm, concurrency] = Object.values(given).map(Number)
needs({
  'prometheus-blackbox-exporter': 'prometheus-blackbox-exporter',
  nginx: 'nginx-light',
  wrk: 'wrk',
  dnsmasq: 'dnsmasq-base',
  openssl: 'openssl',
})

const targets = await startTargets()
const blackbox = await startBlackbox()
const rows = []
try {
  for (const type of given.types.split(',')) {
    const { module, peerTargets, ...check } = checks[type]
    const job = { type, interval: 0.1, ...check }
    const seen = { ours: [], peer: [], bad: 0 }
    for (let round = 0; round < rounds; round++) {
      const probe = await startProbe(job, concurrency)
      await probe.run(warm)
      const mine = await probe.run(seconds)
      await probe.stop()
      const its = await blackbox.run({
        module,
        targets: peerTargets ?? check.targets,
        connections: concurrency,
        seconds,
      })
      if (mine.why !== undefined) process.stderr.write(`${type}: ${mine.bad} of ${mine.n} failed, ${mine.why}\n`)
      seen.ours.push((mine.cpu * 1000) / mine.n)
      seen.peer.push((its.cpu * 1000) / its.n)
      seen.bad += mine.bad + its.bad
    }
    const ratios = seen.peer.map((each, index) => each / seen.ours[index])
    rows.push([type, figures(seen.ours, 4), figures(seen.peer, 3), figures(ratios, 2), seen.bad])
  }
} finally {
  blackbox.stop()
  targets.stop()
}
table(['check', 'ours, CPU s per 1,000', 'blackbox_exporter', 'times cheaper', 'failed'], rows)

function figures(numbers, digits) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)].map(each => each.toFixed(digits))
  return `${median(numbers).toFixed(digits)} (${low} to ${high})`
}
