// Results accepted durably per CPU second, singly and in batches of 100, beside the floor, in alternating rounds.
import { flags, generator, median, ours, root, spread, start, table, whole } from './lib.mjs'

const given = flags({ rounds: 5, seconds: 4, connections: 100, monitors: 1000, steps: 0, warm: 2 })
const [rounds, seconds, connections, monitors, steps, warm] = Object.values(given).map(Number)
const product = await ours({ monitors })
const started = await start(process.execPath, [`${root}bench/floor.mjs`])
const floor = { pid: started.pid, url: started.ready.url }
const load = await generator()

const rows = []
for (const batch of [0, 100]) {
  const job = { batch, connections, monitors }
  const seen = { ours: [], floor: [] }
  for (const target of [product, floor]) await load.run(target, { ...job, seconds: warm, steps: 0 })
  for (let round = 0; round < rounds; round++) {
    seen.ours.push(await load.run(product, { ...job, seconds, steps: steps > 0 }))
    seen.floor.push(await load.run(floor, { ...job, seconds, steps: false }))
  }
  const name = batch === 0 ? 'singly' : `in batches of ${batch}`
  for (const [who, all] of Object.entries(seen)) {
    const perCpu = all.map(each => each.perCpu)
    const p99 = median(all.map(each => each.p99))
    rows.push([
      name,
      who,
      whole(median(perCpu)),
      spread(perCpu),
      whole(median(all.map(each => each.perSecond))),
      p99.toFixed(1),
    ])
  }
  const ratios = seen.ours.map((each, round) => each.perCpu / seen.floor[round].perCpu)
  rows.push([name, 'ours / floor', median(ratios).toFixed(2), ratios.map(each => each.toFixed(2)).join(' '), '', ''])
}
table(['how', 'who', 'results per CPU second', 'spread', 'results per second', 'p99 ms'], rows)
await load.stop()
await started.stop()
await product.close()
