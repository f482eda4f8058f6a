// A status page of 50 monitors. Served: answers per CPU second beside nginx with the same bytes and bare Fastify, and 304
// to who holds it (90 days). Computed: CPU ms after a change, 365 days.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bearer, cpuOf, flags, median, needs, ours, root, spread, start, table, whole } from './lib.mjs'
import { nginx } from './nginx.mjs'

const given = flags({ rounds: 5, seconds: 3, connections: 50, changes: 60 })
const [rounds, seconds, connections, changes] = Object.values(given).map(Number)
needs({ nginx: 'nginx-light', wrk: 'wrk' })

const product = await ours({ monitors: 50, seed: twoPages })
const address = `${product.url}/api/status/quarter`
const answer = await fetch(address)
const payload = Buffer.from(await answer.arrayBuffer())
const peer = await nginx(payload)
const floor = await start(process.execPath, [join(root, 'bench/bare.mjs')], {}, payload)
const contenders = [
  { name: 'nginx, the same bytes', url: peer.url, pids: peer.pids, seen: [] },
  { name: 'bare Fastify, a Buffer', url: floor.ready.url, pids: [floor.pid], seen: [] },
  { name: 'Watchpost', url: address, pids: [product.pid], seen: [] },
  { name: 'Watchpost, 304', url: address, pids: [product.pid], header: answer.headers.get('etag'), seen: [] },
]
for (let round = 0; round <= rounds; round++) {
  for (const each of contenders) {
    const perCpu = await load(each)
    // The first round warms up.
    if (round > 0) each.seen.push(perCpu)
  }
}
const ofNginx = median(contenders[0].seen)
process.stdout.write(`A payload of ${payload.length} bytes, ${connections} connections\n`)
table(
  ['server', 'answers per CPU second', 'spread', 'of nginx'],
  contenders.map(({ name, seen }) => [name, whole(median(seen)), spread(seen), (median(seen) / ofNginx).toFixed(2)]),
)
peer.stop()
await floor.stop()

const times = []
for (let round = 0; round <= rounds; round++) {
  const [alone, withPage] = [await change(false), await change(true)]
  if (round > 0) times.push(withPage - alone)
}
table(
  ['computed after a change', 'CPU ms', 'rounds'],
  [['50 monitors, 365 days', median(times).toFixed(2), times.map(each => each.toFixed(2)).join(' ')]],
)
await product.close()

/** Answers for each CPU second. */
async function load({ url, pids, header }) {
  const before = pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
  const more = header === undefined ? [] : ['-H', `If-None-Match: ${header}`]
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, ...more, url]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  const cpu = pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - before
  if (/Non-2xx or 3xx|Socket errors/.test(output)) throw new Error(output)
  return Number(/(\d+) requests in/.exec(output)[1]) / cpu
}

/** CPU ms of the server for a result, and for the page after it if that is asked for. */
async function change(andPage) {
  const before = cpuOf(product.pid)
  for (let index = 0; index < changes; index++) {
    const body = JSON.stringify({ monitor_id: 1 + (index % 50), status: 'online', response_time_ms: index })
    const sent = { method: 'POST', headers: bearer(product.token), body }
    await (await fetch(`${product.url}/v1/probe/check-result`, sent)).arrayBuffer()
    if (andPage) await (await fetch(`${product.url}/api/status/year`)).arrayBuffer()
    // A page is computed twenty times a second at most.
    await new Promise(done => setTimeout(done, 60))
  }
  return ((cpuOf(product.pid) - before) * 1000) / changes
}

function twoPages(db, monitors) {
  const page =
    db.prepare(`insert into status_pages (team_id, id, slug, title, is_public, language, show_history_days, theme,
    version, created_at, updated_at) values (1, ?, ?, 'Acme', 1, 'en', ?, '{"primary_color":"#10b981","layout":"modern-light"}', 1, 0, 0)`)
  const assign =
    db.prepare(`insert into page_monitors (team_id, page_id, monitor_id, group_name, order_index, show_uptime,
    show_response_time) values (1, ?, ?, ?, 0, 1, 1)`)
  const day = db.prepare('insert into rollups values (? * 4 + 2, ?, 1439, 1, 0, 0, 1000000, 1440)')
  const today = Math.floor(Date.now() / 86_400_000)
  page.run(1, 'quarter', 90)
  page.run(2, 'year', 365)
  for (let id = 1; id <= monitors; id++) {
    for (const number of [1, 2]) assign.run(number, id, `Group ${id % 5}`)
    for (let ago = 1; ago < 365; ago++) day.run(id, today - ago)
  }
}
