// What a result costs with 1,000 monitors and with 100,000, in alternating rounds; and what a monitor takes of memory.
import { flags, generator, median, ours, rssOf, table, whole } from './lib.mjs'

const given = flags({ rounds: 5, seconds: 6, few: 1000, many: 100_000, batch: 100, connections: 100, warm: 6 })
const [rounds, seconds, few, many, batch, connections, warm] = Object.values(given).map(Number)
const load = await generator()
const sizes = []
for (const monitors of [few, many]) {
  const product = await ours({ monitors })
  const before = rssOf(product.pid)
  const job = { batch, connections, monitors, steps: true }
  await load.run(product, { ...job, seconds: warm })
  sizes.push({ monitors, product, job, before, perCpu: [] })
}
for (let round = 0; round < rounds; round++) {
  for (const { product, job, perCpu } of sizes) perCpu.push((await load.run(product, { ...job, seconds })).perCpu)
}
table(
  ['monitors', 'results per CPU second', 'rounds', 'memory MB', 'at the start'],
  sizes.map(({ monitors, product, perCpu, before }) => [
    whole(monitors),
    whole(median(perCpu)),
    perCpu.map(whole).join(' '),
    whole(rssOf(product.pid) / 1e6),
    whole(before / 1e6),
  ]),
)
const [small, large] = sizes.map(each => median(each.perCpu))
process.stdout.write(
  `A result with ${whole(many)} monitors costs ${(small / large).toFixed(2)} times what it costs with ${whole(few)}.\n`,
)
await load.stop()
for (const { product } of sizes) await product.close()
