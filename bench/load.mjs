// Sends results over keep-alive connections, each one request at a time, and says what was answered.
// Its own process: what it costs is not the server's. Controlled by lines of JSON on standard input.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Results sent to each server so far: time does not go back for a monitor. */
const turns = new Map()
const start = Date.now() - 6 * 86_400_000

const say = data => process.stdout.write(`${JSON.stringify(data)}\n`)

say({ ready: true })
for await (const line of createInterface({ input: process.stdin })) say(await load(JSON.parse(line)))

/** @param job url, path, token, connections, seconds, batch (0: singly), monitors, steps: whether each check is a minute after the last */
async function load(job) {
  const { hostname, port } = new URL(job.url)
  const next = bodies(job)
  const head = `POST ${job.path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${job.token}\r\ncontent-type: application/json\r\ncontent-length: `
  const until = performance.now() + job.seconds * 1000
  const times = []
  let answered = 0
  let refused = 0
  await Promise.all(
    Array.from({ length: job.connections }, () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      return new Promise((resolve, reject) => {
        let sent = 0
        let text = ''
        const send = () => {
          if (performance.now() > until) return socket.end(resolve)
          const body = next()
          sent = performance.now()
          socket.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
        }
        socket.on('connect', send)
        socket.on('error', reject)
        socket.setEncoding('latin1')
        socket.on('data', chunk => {
          text += chunk
          const end = text.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = Number(/content-length: (\d+)/i.exec(text)[1])
          if (text.length < end + 4 + length) return
          if (text.startsWith('HTTP/1.1 200')) answered += Math.max(1, job.batch)
          else refused++
          if (job.batch > 0 && text.includes('"ok":false')) refused++
          times.push(performance.now() - sent)
          text = ''
          send()
        })
      })
    }),
  )
  times.sort((a, b) => a - b)
  const at = share => times[Math.floor(times.length * share)] ?? 0
  return { answered, refused, p50: at(0.5), p99: at(0.99) }
}

/** Results of monitors in no order, as probes send them whose checks are spread evenly. */
function bodies({ url, monitors, batch, steps }) {
  const result = () => {
    const turn = turns.get(url) ?? 0
    turns.set(url, turn + 1)
    // A walk through all that never goes in rows: a prime does not divide their number.
    const monitor_id = ((turn * 7919) % monitors) + 1
    const response_time_ms = 20 + ((turn * 31) % 977) / 50
    if (!steps) return { monitor_id, status: 'online', response_time_ms }
    const due = start + Math.floor(turn / monitors) * 60_000
    const checked_at = new Date(due + (turn % 37)).toISOString()
    const run_id = `${monitor_id.toString(36)}-${due.toString(36)}-${(turn % 65_536).toString(36)}`
    return { monitor_id, status: 'online', response_time_ms, run_id, checked_at }
  }
  if (batch === 0) return () => JSON.stringify(result())
  return () => JSON.stringify({ results: Array.from({ length: batch }, result) })
}
