// A page of 100 monitors, with 100 and with 10,000 of them in the team, each with a day of rollups; server CPU a request.
import { bearer, cpuOf, flags, median, ours, table } from './lib.mjs'

const given = flags({ rounds: 5, requests: 200, few: 100, many: 10_000 })
const [rounds, requests, few, many] = Object.values(given).map(Number)
const sizes = []
for (const monitors of [few, many]) {
  sizes.push({ monitors, product: await ours({ monitors, seed: aDay }), ms: [], cpu: [] })
}
for (let round = 0; round <= rounds; round++) {
  for (const { product, ms, cpu } of sizes) {
    const [used, began] = [cpuOf(product.pid), performance.now()]
    for (let index = 0; index < requests; index++) {
      const path = `${product.url}/v1/monitors?per_page=100&page=1`
      const { data } = await (await fetch(path, { headers: bearer(product.apiToken) })).json()
      if (data.length !== 100) throw new Error(`a page of ${data.length}`)
    }
    // The first round warms up.
    if (round === 0) continue
    ms.push((performance.now() - began) / requests)
    cpu.push(((cpuOf(product.pid) - used) * 1000) / requests)
  }
}
table(
  ['monitors', 'ms a request', 'CPU ms a request', 'rounds'],
  sizes.map(({ monitors, ms, cpu }) => [
    monitors,
    median(ms).toFixed(2),
    median(cpu).toFixed(2),
    cpu.map(each => each.toFixed(2)).join(' '),
  ]),
)
for (const { product } of sizes) await product.close()

/** 24 hours and the last of them in five minutes. */
function aDay(db, monitors) {
  const hour = Math.floor(Date.now() / 3_600_000)
  const insert = db.prepare('insert into rollups values (? * 4 + ?, ?, ?, 0, 0, 0, 1000000, 50)')
  for (let id = 1; id <= monitors; id++) {
    for (let at = 1; at <= 24; at++) insert.run(id, 1, hour - at, 60)
    for (let at = 0; at < 12; at++) insert.run(id, 0, hour * 12 + at, 5)
  }
}
