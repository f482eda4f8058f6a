// Events of browsers over HTTP, durable and counted, per CPU second, beside JSON.parse alone; bytes of an event; how long questions
// take; and how long the main thread stands still meanwhile.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { bearer, cpuOf, flags, median, ours, root, rssOf, spread, stalls, start, table, whole } from './lib.mjs'

const given = flags({ rounds: 3, seconds: 5, connections: 16, size: 20, warm: 2 })
const [rounds, seconds, connections, size, warm] = Object.values(given).map(Number)
const gate = 20_000

const product = await ours({ monitors: 0 })
const headers = bearer(product.apiToken)
const asked = { method: 'POST', headers, body: JSON.stringify({ name: 'bench' }) }
const app = (await (await fetch(`${product.url}/api/observability/apps`, asked)).json()).data
const load = await start(process.execPath, [join(root, 'bench/rum-load.mjs')])
const job = { url: product.url, key: app.api_key, connections, size }

const send = async more => {
  const before = cpuOf(product.pid)
  load.child.stdin.write(`${JSON.stringify({ ...job, ...more })}\n`)
  const seen = await load.next()
  return { ...seen, perCpu: seen.sent / (cpuOf(product.pid) - before) }
}

const floor = await (await start(process.execPath, [join(root, 'bench/rum-load.mjs'), 'parse'])).ready
await send({ seconds: warm })
const size0 = statSync(product.db).size
const seen = []
const still = []
for (let round = 0; round < rounds; round++) {
  const running = send({ seconds })
  still.push(await stalls(product.url, running))
  seen.push(await running)
}
const sent = seen.reduce((sum, each) => sum + each.sent, 0)
const refused = seen.reduce((sum, each) => sum + each.refused, 0)
const path = `${product.url}/api/observability/apps/${app.id}`
const { quotas } = (await (await fetch(`${path}/usage`, { headers })).json()) ?? {}

async function ask(what) {
  const waits = []
  for (let turn = 0; turn < 10; turn++) {
    const began = performance.now()
    const answer = await (await fetch(`${path}/rum/${what}`, { headers })).json()
    waits.push(performance.now() - began)
    if (!answer.success) throw new Error(`${what}: ${JSON.stringify(answer)}`)
  }
  waits.sort((a, b) => a - b)
  return `${waits[5].toFixed(0)} / ${waits[9].toFixed(0)}`
}

async function anError() {
  const { data } = await (await fetch(`${path}/rum/errors?limit=1`, { headers })).json()
  return data[0].fingerprint
}

const perCpu = seen.map(each => each.perCpu)
table(
  ['what', 'seen'],
  [
    ['events per CPU second, durable, over HTTP', `${whole(median(perCpu))} (${spread(perCpu)})`],
    ['JSON.parse alone, events per CPU second', `${whole(floor.perCpu)}, ${whole(floor.bytes)} bytes each`],
    [
      'answer p50 / p99 ms',
      `${median(seen.map(each => each.p50)).toFixed(1)} / ${median(seen.map(each => each.p99)).toFixed(1)}`,
    ],
    [
      '/healthz meanwhile p50 / p99 ms',
      `${median(still.map(each => each.p50)).toFixed(1)} / ${median(still.map(each => each.p99)).toFixed(1)}`,
    ],
    [
      'events counted, visits, refused requests',
      `${whole(quotas.rum_events.used)}, ${whole(quotas.rum_sessions.used)}, ${refused}`,
    ],
    ['bytes on disk an event', ((statSync(product.db).size - size0) / sent).toFixed(0)],
    ['resident MB after it', whole(rssOf(product.pid) / 1e6)],
    ['vitals by page p50 / max ms', await ask('vitals')],
    ['pages', await ask('pages')],
    ['errors', await ask('errors')],
    ['visits', await ask('sessions')],
    ['visits with an error', await ask(`sessions?error=${await anError()}`)],
  ],
)
await load.stop()
await product.close()
if (median(perCpu) < gate) {
  process.stderr.write(`fewer than ${whole(gate)} events per CPU second\n`)
  process.exitCode = 1
}
