// By how much a prober misjudges a target that answers after 20 ms, at so many checks a second: the response time that it
// reports, less 20 ms.
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { startBlackbox } from './blackbox.mjs'
import { flags, median, needs, root, start, table } from './lib.mjs'
import { startProbe } from './probe.mjs'

const delay = 20
const given = flags({ rounds: 5, seconds: 6, warm: 4, rate: 500 })
const [rounds, seconds, warm, rate] = Object.values(given).map(Number)
needs({ 'prometheus-blackbox-exporter': 'prometheus-blackbox-exporter' })

const target = await start(process.execPath, [join(root, 'bench/slow.mjs'), String(delay)])
const url = index => `http://127.0.0.${1 + (index % 16)}:${target.ready.port}/`
const blackbox = await startBlackbox()
const seen = { ours: [], peer: [] }
for (let round = 0; round < rounds; round++) {
  const targets = Array.from({ length: 16 }, (_, index) => url(index))
  // One check a second each, in phases of their own, as a schedule has them.
  const probe = await startProbe({ type: 'http', targets, monitors: rate, interval: 1 }, 200)
  await probe.run(warm)
  const mine = await probe.run(seconds)
  await probe.stop()
  seen.ours.push({ p50: mine.p50 - delay, p99: mine.p99 - delay, max: mine.max - delay, n: mine.n })
  await ask(warm)
  seen.peer.push(await ask(seconds))
}
blackbox.stop()
await target.stop()
table(
  [`error at ${rate} checks a second`, 'p50 ms', 'p99 ms', 'p99, rounds', 'max ms', 'checks'],
  Object.entries({ Watchpost: seen.ours, blackbox_exporter: seen.peer }).map(([name, all]) => [
    name,
    ...[median(all.map(each => each.p50)), median(all.map(each => each.p99))].map(each => each.toFixed(2)),
    all.map(each => each.p99.toFixed(2)).join(' '),
    Math.max(...all.map(each => each.max)).toFixed(1),
    all.reduce((sum, each) => sum + each.n, 0),
  ]),
)
process.exit(0)

/** Asks blackbox_exporter at the rate, whether or not it has answered the ones before. */
async function ask(forSeconds) {
  const agent = new Agent({ keepAlive: true, maxSockets: 2000 })
  const times = []
  const asked = []
  const began = performance.now()
  for (let sent = 0; sent < rate * forSeconds; ) {
    const due = ((performance.now() - began) / 1000) * rate
    for (; sent < due && sent < rate * forSeconds; sent++) asked.push(one(agent, sent).then(each => times.push(each)))
    await new Promise(done => setTimeout(done, 1))
  }
  await Promise.all(asked)
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))] - delay
  return { p50: at(0.5), p99: at(0.99), max: at(1), n: times.length }
}

function one(agent, index) {
  return new Promise((resolve, reject) => {
    get(blackbox.url + blackbox.path('http_2xx', url(index)), { agent }, async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(Number(/^probe_duration_seconds ([\d.e+-]+)/m.exec(text)[1]) * 1000)
    }).on('error', reject)
  })
}
