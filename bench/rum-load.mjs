// Sends events of browsers as the script does, in batches, over some connections, until told to stop: one line of JSON in for
// each job, one out for what it saw.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

const pages = Array.from({ length: 200 }, (_, index) => `https://shop.example.com/products/item-${index}`)
const vitals = ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']
const agentName =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
let turn = 0

/** What a visit of a page sends: its load, five vitals, requests, an error now and then. */
function batch(size) {
  const now = Date.now()
  const session_id = randomBytes(16).toString('hex')
  const ids = randomBytes(8 * size).toString('hex')
  const url = pages[(turn * 7) % pages.length]
  const events = Array.from({ length: size }, (_, index) => {
    const id = now.toString(36) + ids.slice(index * 16, index * 16 + 16)
    const common = { id, url, timestamp: now - index * 10, session_id, app: 'shop@1.4.2' }
    const kind = index % 10
    if (index === 0) return { ...common, type: 'session_start', referrer: 'https://www.example.org/search' }
    if (kind === 1)
      return { ...common, type: 'page_load', navigation_type: 'navigate', duration_ms: (turn * 37) % 4000 }
    if (kind < 7) {
      const name = vitals[kind - 2]
      const value = name === 'CLS' ? ((turn * 13) % 400) / 1000 : ((turn * 131 + index * 17) % 50_000) / 10
      return { ...common, type: 'web_vital', name, value, navigation_type: 'navigate' }
    }
    if (kind === 9 && turn % 5 === 0) {
      const stack = `TypeError: order ${turn} is undefined\n    at pay (https://shop.example.com/app.3fa9b2c1.js:1:${turn})\n    at go (https://shop.example.com/app.3fa9b2c1.js:1:99)`
      return { ...common, type: 'error', name: 'TypeError', message: `order ${turn} is undefined`, stack }
    }
    const request_url = `https://shop.example.com/api/cart/${turn}?token=x`
    return { ...common, type: 'network', request_url, status: 200, duration_ms: turn % 300 }
  })
  turn++
  return Buffer.from(JSON.stringify(events))
}

async function run({ url, key, connections, seconds, size }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const until = performance.now() + seconds * 1000
  let sent = 0
  let refused = 0
  const waits = []
  const client = async () => {
    while (performance.now() < until) {
      const body = batch(size)
      const began = performance.now()
      const status = await post(agent, `${url}/v1/ingest?api_key=${key}&sent_at=${Date.now()}`, body)
      waits.push(performance.now() - began)
      if (status === 200) sent += size
      else refused++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  waits.sort((a, b) => a - b)
  return { sent, refused, p50: waits[waits.length >> 1] ?? 0, p99: waits[Math.floor(waits.length * 0.99)] ?? 0 }
}

function post(agent, url, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': agentName,
      origin: 'https://shop.example.com',
      'content-length': body.length,
    }
    const asked = request(url, { method: 'POST', agent, headers }, answer => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

if (process.argv[2] === 'parse') {
  // The floor: JSON.parse alone of the same bodies.
  const bodies = Array.from({ length: 400 }, () => batch(20))
  const before = process.cpuUsage()
  let events = 0
  const until = performance.now() + 2000
  while (performance.now() < until) {
    for (const body of bodies) events += JSON.parse(body.toString('utf8')).length
  }
  const { user, system } = process.cpuUsage(before)
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0) / 400 / 20
  process.stdout.write(`${JSON.stringify({ perCpu: events / ((user + system) / 1e6), bytes })}\n`)
} else {
  process.stdout.write('{"ready":true}\n')
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
  }
}
