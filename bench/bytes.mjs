// What a check, five minutes, an hour and a day take on disk, in a database that our server wrote from results like a
// probe's: a check a minute for three days, starts off by a few milliseconds, one in a hundred failed.
import Database from 'better-sqlite3'
import { bearer, flags, ours, table } from './lib.mjs'

const given = flags({ monitors: 200, days: 3, jitter: 40, failures: 100 })
const [monitors, days, jitter, failures] = Object.values(given).map(Number)
const minute = 60_000
const start = Math.floor(Date.now() / 86_400_000 - days) * 86_400_000
const product = await ours({ monitors })

// A walk of response times: near the last one, sometimes far from it.
let seed = 7
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed / 2_147_483_647
}
const base = Array.from({ length: monitors + 1 }, () => 5 + random() * 200)
let checks = 0
for (let index = 0; index < days * 1440; index++) {
  const results = Array.from({ length: monitors }, (_, at) => resultOf(at + 1, start + index * minute))
  for (let at = 0; at < results.length; at += 500) await send(results.slice(at, at + 500))
  checks += monitors
}
const { data } = await (await fetch(`${product.url}/v1/monitors`, { headers: bearer(product.apiToken) })).json()
if (data.length === 0) throw new Error('no monitors')
await rolledUp()
await product.stop()

const db = new Database(product.db)
db.pragma('wal_checkpoint(TRUNCATE)')
const size = name =>
  db.prepare("select coalesce(sum(pgsize), 0) as bytes from dbstat where name like ? escape '\\'").get(name).bytes
const counts = 'up integer, down integer, errors integer, maintenance integer, us integer, count integer'
const key = 'series integer, bucket integer'
const rollup = `${key}, ${counts}, primary key (series, bucket)`
const histogram = `${key}, data blob, primary key (series, bucket)`
const rest = {
  rollups: 'bucket, up, down, errors, maintenance, response_us_sum, response_count',
  histograms: 'bucket, data',
}
const copies = 20
const one = sql => Object.values(db.prepare(sql).get())[0]
const tables = db.prepare("select name from sqlite_master where type = 'table' and name glob 'checks_2*'").all()
const filed = tables.reduce((sum, { name }) => sum + size(name) + size(`${name}\\_by\\_monitor`), 0)
const open = one('select sum(length(open_checks)) from monitor_states')
const evidence = size('check\\_evidence\\_%')
const failed = tables.reduce(
  (sum, { name }) => sum + one(`select count(*) from ${name.replace('checks', 'check_evidence')}`),
  0,
)
const rows = [
  ['a check, the day open: blocks, their index, and what has not filled a block', (filed + open) / checks],
  ['evidence of a failure', evidence / failed],
  ['both, for a check', (filed + open + evidence) / checks],
  ["a monitor's state, with what is open", size('monitor\\_states') / monitors],
]
for (const [resolution, name] of ['five minutes', 'an hour', 'a day'].entries()) {
  for (const kind of ['rollups', 'histograms']) {
    const count = one(`select count(*) from ${kind} where series % 4 = ${resolution}`) * copies
    if (count === 0) continue
    // Apart from the others, in the order they come in, and so many that the last page does not count.
    db.exec(`create table apart (${kind === 'rollups' ? rollup : histogram}) without rowid;
      with recursive copy (n) as (select 0 union all select n + 1 from copy where n < ${copies - 1})
      insert into apart select series + n * ${4 * (monitors + 1)}, ${rest[kind]} from copy, ${kind}
      where series % 4 = ${resolution} order by bucket, 1`)
    rows.push([`${name}, ${kind}`, size('apart') / count])
    db.exec('drop table apart')
  }
}
table(
  ['what', 'bytes'],
  rows.map(([name, bytes]) => [name, bytes.toFixed(1)]),
)
process.stdout.write(`${checks} checks of ${monitors} monitors, ${failed} of them with evidence.\n`)
db.close()
await product.remove()

function resultOf(monitor_id, due) {
  const failed = Math.floor(random() * failures) === 0
  if (random() < 0.02) base[monitor_id] = 5 + random() * 200
  return {
    monitor_id,
    run_id: `${monitor_id.toString(36)}-${due.toString(36)}-${Math.floor(random() * 65_536).toString(36)}`,
    checked_at: new Date(due + Math.floor(random() * jitter)).toISOString(),
    status: failed ? 'offline' : 'online',
    response_time_ms: failed ? null : base[monitor_id] * (0.9 + random() * 0.2),
    timings: { resolve_ms: 1.25, connect_ms: 9.5, tls_ms: 20.125, first_byte_ms: 30.5, transfer_ms: 0.75 },
    details: { address: '192.0.2.1', status_code: failed ? 503 : 200 },
    ...(failed ? { error_kind: 'http_status', error_message: 'The server answered 503 Service Unavailable' } : {}),
  }
}

async function send(results) {
  const body = JSON.stringify({ results })
  const path = `${product.url}/v1/probe/check-results`
  const answer = await fetch(path, { method: 'POST', headers: bearer(product.token), body })
  const { data: verdicts } = await answer.json()
  if (!verdicts.every(({ ok }) => ok)) throw new Error(JSON.stringify(verdicts.find(({ ok }) => !ok)))
}

/** Resolves once the worker has made all days that are over. */
async function rolledUp() {
  const database = new Database(product.db, { readonly: true })
  const made = database.prepare('select count(*) as count from rollups where series % 4 = 2')
  while (made.get().count < monitors * days) await new Promise(resolve => setTimeout(resolve, 1000))
  database.close()
}
