// A control plane that costs the probe what ours does and nothing else: it hands out monitors and counts results. One
// line in on standard input (what to hand out, or {} to go on), one line of JSON out: what has arrived since the last.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

let job = { monitors: 0 }
let seen = clear()
/** Monitors that the probe has not been told of yet, as indices. */
let next = 0

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = request.url.startsWith('/v1/probe/get-checks')
    ? due(Number(new URL(request.url, 'http://plane').searchParams.get('limit') ?? 100))
    : request.url.startsWith('/v1/probe/check-results')
      ? taken(JSON.parse(Buffer.concat(chunks)).results)
      : { success: true, data: {} }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
server.listen(0, '127.0.0.1', () => say({ url: `http://127.0.0.1:${server.address().port}` }))

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line)
  if (asked.monitors !== undefined) {
    job = asked
    next = 0
  }
  const { times, ...rest } = seen
  times.sort((a, b) => a - b)
  const at = share => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  seen = clear()
  say({ ...rest, p50: at(0.5), p99: at(0.99), max: times.at(-1) })
}
process.exit(0)

function due(limit) {
  const now = Date.now()
  const data = []
  for (; next < job.monitors && data.length < limit; next++) data.push(monitor(next, now))
  const meta = { server_time: new Date(now).toISOString(), poll_after_seconds: 1 }
  return { success: true, message: 'Success', data, meta }
}

function monitor(index, now) {
  const { type, targets, options = {}, interval, timeout = 10 } = job
  const dueAt = now + (index / job.monitors) * interval * 1000
  return {
    run_id: `first-${index}`,
    monitor_id: index + 1,
    type,
    target: targets[index % targets.length],
    method: 'get',
    interval,
    timeout,
    ssl_verify: false,
    options,
    due_at: new Date(dueAt).toISOString(),
    lease_until: new Date(now + 86_400_000).toISOString(),
  }
}

function taken(results) {
  for (const { status, response_time_ms, error_kind, error_message } of results) {
    seen.n++
    if (status !== 'online') {
      seen.bad++
      seen.why ??= `${error_kind}: ${error_message}`
    }
    if (response_time_ms !== null && seen.times.length < 200_000) seen.times.push(response_time_ms)
  }
  return { success: true, data: results.map(() => ({ ok: true, status: 'online' })) }
}

function clear() {
  return { n: 0, bad: 0, why: undefined, times: [] }
}

function say(what) {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}
