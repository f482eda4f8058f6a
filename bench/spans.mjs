// Spans over HTTP, durable and findable, per CPU second, beside JSON.parse alone; bytes of a span; how long questions take; and
// how long the main thread stands still meanwhile.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bearer, cpuOf, flags, idle, median, ours, root, rssOf, spread, stalls, start, table, whole } from './lib.mjs'

const given = flags({ rounds: 3, seconds: 6, connections: 64, warm: 3, fill: 0, encoding: 'json' })
const [rounds, seconds, connections, warm, fill] = Object.values(given).map(Number)
const { encoding } = given

const product = await ours({ monitors: 1, timed: true })
const headers = bearer(product.apiToken)
const asked = { method: 'POST', headers, body: JSON.stringify({ name: 'bench' }) }
const app = (await (await fetch(`${product.url}/api/observability/apps`, asked)).json()).data
const load = await start(process.execPath, [join(root, 'bench/span-load.mjs')])
const job = { url: product.url, token: app.app_token, connections, encoding }

const send = async more => {
  const before = cpuOf(product.pid)
  load.child.stdin.write(`${JSON.stringify({ ...job, ...more })}\n`)
  const seen = await load.next()
  return { ...seen, perCpu: seen.sent / (cpuOf(product.pid) - before) }
}

const nothing = await idle()
const parse = async () => (await start(process.execPath, [join(root, 'bench/span-load.mjs'), 'parse'])).ready
await send({ seconds: warm })
const seen = []
const still = []
const late = []
const lateIdle = []
const floors = []
let traces = []
for (let round = 0; round < rounds; round++) {
  floors.push(await parse())
  await Promise.all([product.delay(), nothing.delay()])
  const running = send({ seconds })
  still.push(await stalls(product.url, running))
  const result = await running
  late.push(await product.delay())
  lateIdle.push(await nothing.delay())
  seen.push(result)
  traces = result.traces
}
if (fill > 0) traces = (await send({ seconds: 3600, batches: fill / 100 })).traces
const refused = seen.reduce((sum, each) => sum + each.refused, 0)

const dir = join(dirname(product.db), 'telemetry')
const bytes = () => readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
const path = `${product.url}/api/observability/apps/${app.id}`
const stored = await countSpans()
const rss = rssOf(product.pid)

/** Of so many blocks the first answer may not be complete: what answers is not compiled yet. */
async function countSpans() {
  for (let attempt = 1; ; attempt++) {
    const { data, meta } = await (await fetch(`${path}/services`, { headers })).json()
    if (meta.complete) return data.reduce((sum, each) => sum + each.span_count, 0)
    if (attempt === 10) throw new Error('Spans could not be counted')
  }
}

/** Of forty questions, after forty others: V8 has compiled by then what answers, and of these the median is given, too. */
async function ask(what) {
  const waits = []
  for (let turn = 0; turn < 80; turn++) {
    const url = `${path}/${what(turn)}`
    const began = performance.now()
    const answer = await (await fetch(url, { headers })).json()
    waits.push(performance.now() - began)
    if (!answer.success) throw new Error(`${url}: ${JSON.stringify(answer)}`)
  }
  const first = median(waits.splice(0, 40))
  waits.sort((a, b) => a - b)
  return `${[waits[20], waits[38]].map(ms => ms.toFixed(1)).join(' / ')} (at first ${first.toFixed(1)})`
}

const delays = (seen, what) =>
  ['p50', 'p99', 'max'].map(name => median(seen.map(each => each[what][name])).toFixed(1)).join(' / ')
const perCpu = seen.map(each => each.perCpu)
const alone = floors.map(each => each.perCpu)
const ratios = perCpu.map((each, round) => each / alone[round])
table(
  ['what', 'seen'],
  [
    ['spans per CPU second, durable, over HTTP', `${whole(median(perCpu))} (${spread(perCpu)})`],
    ['JSON.parse alone, spans per CPU second', `${whole(median(alone))} (${spread(alone)})`],
    ['ratio', `${median(ratios).toFixed(2)} (${ratios.map(each => each.toFixed(2)).join(' ')})`],
    [
      'answer p50 / p99 ms',
      `${median(seen.map(each => each.p50)).toFixed(0)} / ${median(seen.map(each => each.p99)).toFixed(0)}`,
    ],
    [
      '/healthz meanwhile p50 / p99 ms',
      `${median(still.map(each => each.p50)).toFixed(1)} / ${median(still.map(each => each.p99)).toFixed(1)}`,
    ],
    ['main thread late p50 / p99 / max ms', delays(late, 'late')],
    ['a process that does nothing late meanwhile', delays(lateIdle, 'late')],
    ['main thread at work until it comes', delays(late, 'work')],
    ['spans stored, refused batches', `${whole(stored)}, ${refused}`],
    ['bytes on disk a span', (bytes() / stored).toFixed(1)],
    ['resident MB after it', whole(rss / 1e6)],
    ['a trace by id p50 / p95 ms', await ask(turn => `traces/${traces[(turn * 7) % traces.length]}`)],
    ['newest 50 of a service', await ask(turn => `traces?service=service-${turn % 20}&limit=50`)],
    ['errors over 300 ms, newest 50', await ask(() => 'traces?status=error&min_duration=300')],
    ['a rare attribute', await ask(turn => `traces?attr.user.id=user-${turn * 13}&limit=20`)],
    ['an attribute nobody has', await ask(turn => `traces?attr.user.id=nobody-${turn}`)],
  ],
)
await load.stop()
await nothing.stop()
await product.close()
