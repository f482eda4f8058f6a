// Log records and points over HTTP, durable and findable, per CPU second, beside JSON.parse alone of the same bodies, in rounds
// that alternate; and what of it is the stored side: the thread that reads and keeps them. Points also beside VictoriaMetrics,
// where that is installed, which does not wait for the disk before it answers. In the first seconds V8 compiles in other threads:
// that is no part of it. SDKs of OpenTelemetry send up to 512 records at once (--batch 512).
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bearer, cpuOf, cpuOfThreads, flags, median, ours, root, spread, start, table, whole } from './lib.mjs'
import { startVictoria } from './victoria.mjs'

const given = flags({ rounds: 5, seconds: 4, connections: 64, warm: 8, batch: 100, encoding: 'json', only: '' })
const [rounds, seconds, connections, warm, batch] = Object.values(given).map(Number)
const { encoding, only } = given

const product = await ours({ monitors: 1 })
const headers = bearer(product.apiToken)
const load = await start(process.execPath, [join(root, 'bench/span-load.mjs')], { PER_BATCH: batch })
const dir = join(dirname(product.db), 'telemetry')
const size = family =>
  readdirSync(dir)
    .filter(name => name.startsWith(family))
    .reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
const rows = []
const victoria = only === 'logs' ? undefined : await startVictoria()
const theirs = []
for (const [kind, name, family] of [
  ['logs', 'log records', 'telemetry'],
  ['metrics', 'points', 'points'],
]) {
  if (only !== '' && only !== kind) continue
  const asked = { method: 'POST', headers, body: JSON.stringify({ name: kind }) }
  const { app_token: token } = (await (await fetch(`${product.url}/api/observability/apps`, asked)).json()).data
  const send = async seconds => {
    const [before, thread] = [cpuOf(product.pid), cpuOfThreads(product.pid, 'telemetry in')]
    load.child.stdin.write(`${JSON.stringify({ url: product.url, token, connections, kind, encoding, seconds })}\n`)
    const seen = await load.next()
    if (seen.refused > 0) throw new Error(`${seen.refused} batches were refused`)
    const cpu = cpuOf(product.pid) - before
    const stored = cpuOfThreads(product.pid, 'telemetry in') - thread
    const perMillion = seconds => (seconds * 1e6) / seen.sent
    return {
      ...seen,
      perCpu: seen.sent / cpu,
      megabytes: seen.bytes / cpu / 1e6,
      whole: perMillion(cpu),
      stored: perMillion(stored),
    }
  }
  let kept = (await send(warm)).sent
  const seen = []
  const floors = []
  const parse = async () =>
    (await start(process.execPath, [join(root, 'bench/span-load.mjs'), 'parse', kind], { PER_BATCH: batch })).ready
  floors.push(await parse())
  for (let round = 0; round < rounds; round++) {
    seen.push(await send(seconds))
    floors.push(await parse())
    kept += seen.at(-1).sent
    if (victoria === undefined || kind !== 'metrics') continue
    const { points, cpu } = await victoria.run(seconds, connections)
    theirs.push((cpu * 1e6) / points)
  }
  const perCpu = seen.map(each => each.perCpu)
  const alone = floors.map(each => each.perCpu)
  // The machine's speed changes within a round: what was parsed before it and after it.
  const ratios = seen.map((each, round) => (each.perCpu * 2) / (alone[round] + alone[round + 1]))
  rows.push([
    name,
    `${whole(median(perCpu))} (${spread(perCpu)})`,
    `${whole(median(alone))} (${spread(alone)})`,
    `${median(ratios).toFixed(2)} (${ratios.map(each => each.toFixed(2)).join(' ')})`,
    median(seen.map(each => each.megabytes)).toFixed(0),
    median(seen.map(each => each.whole)).toFixed(2),
    median(seen.map(each => each.stored)).toFixed(2),
    (size(family) / kept).toFixed(1),
  ])
}
table(
  [
    'what',
    'per CPU second',
    'JSON.parse alone',
    'ratio',
    'MB of JSON per CPU second',
    'CPU seconds per million',
    'of it stored side',
    'bytes on disk, not packed yet',
  ],
  rows,
)
if (theirs.length > 0) {
  const [low, high] = [Math.min(...theirs), Math.max(...theirs)].map(each => each.toFixed(2))
  const said = `${median(theirs).toFixed(2)} (${low} to ${high})`
  process.stdout.write(`VictoriaMetrics: ${said} CPU seconds per million points in batches of 100\n`)
}
await victoria?.stop()
await load.stop()
await product.close()
