// Sends spans of ten attributes, log records or points in batches (of records and points PER_BATCH), as JSON or protobuf, over
// some connections, for some time: one line of JSON in for each job, one out for what it saw.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { encode } from '../packages/server/src/ingest/testing/encode.ts'

const perBatch = Number(process.env.PER_BATCH ?? 100)
const templates = 40
const services = 20

/** A body, and where its ids and times stand, so that every batch that is sent has its own. */
function template(seed) {
  const service = `service-${seed % services}`
  const traces = Array.from({ length: 12 }, (_, index) => `T${String(index).padStart(2, '0')}`.padEnd(32, 'x'))
  const spans = Array.from({ length: perBatch }, (_, index) => {
    const status = (seed * 7 + index) % 97 === 0 ? { code: 2, message: 'it failed' } : {}
    return {
      traceId: traces[index % traces.length],
      spanId: `S${String(index).padStart(3, '0')}`.padEnd(16, 'y'),
      parentSpanId: index < traces.length ? '' : `S${String(index % traces.length).padStart(3, '0')}`.padEnd(16, 'y'),
      name: `GET /api/resource-${(seed + index) % 25}`,
      kind: 2,
      startTimeUnixNano: '1000000000000000000',
      endTimeUnixNano: '1000000000000000001',
      attributes: [
        text('http.request.method', ['GET', 'POST', 'PUT'][index % 3]),
        text('http.route', `/api/resource-${(seed + index) % 25}`),
        { key: 'http.response.status_code', value: { intValue: status.code === 2 ? 500 : 200 } },
        text('url.scheme', 'https'),
        text('server.address', `host-${seed % 7}.example.internal`),
        text('user.id', `user-${(seed * 131 + index * 17) % 5000}`),
        text('request.id', `R${String(index).padStart(3, '0')}`.padEnd(32, 'z')),
        text('network.protocol.version', '1.1'),
        text('client.address', `10.1.${seed % 200}.${index}`),
        { key: 'http.request.body.size', value: { intValue: (seed * 37 + index * 101) % 9000 } },
      ],
      events: [],
      links: [],
      status,
    }
  })
  const resource = { attributes: [text('service.name', service), text('service.version', '1.4.2')] }
  const scopeSpans = [{ scope: { name: 'bench', version: '1' }, spans }]
  const body = Buffer.from(JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }))
  const places = pattern => [...body.toString('latin1').matchAll(pattern)].map(({ index }) => index)
  return {
    body,
    traces: traces.map(id => places(new RegExp(id, 'g'))),
    spans: Array.from({ length: perBatch }, (_, i) => places(new RegExp(`S${String(i).padStart(3, '0')}y{12}`, 'g'))),
    requests: places(/R\d{3}z{28}/g),
    starts: places(/1000000000000000000/g),
    ends: places(/1000000000000000001/g),
  }
}

function text(key, value) {
  return { key, value: { stringValue: value } }
}

const made = Array.from({ length: templates }, (_, seed) => template(seed))
let turn = 0

/** Ids and times of its own. */
function batch() {
  const { body, traces, spans, requests, starts, ends } = made[turn++ % templates]
  const copy = Buffer.from(body)
  const hex = randomBytes(2048).toString('hex')
  let at = 0
  const next = length => {
    at += length
    return hex.slice(at - length, at)
  }
  const ids = traces.map(places => {
    const id = next(32)
    for (const place of places) copy.write(id, place, 'latin1')
    return id
  })
  for (const places of spans) {
    const id = next(16)
    for (const place of places) copy.write(id, place, 'latin1')
  }
  requests.forEach((place, index) => {
    copy.write(hex.slice(index * 8, index * 8 + 32), place, 'latin1')
  })
  const now = Date.now()
  starts.forEach((place, index) => {
    const nano = String((index * 7919 + now * 31) % 1_000_000).padStart(6, '0')
    copy.write(`${now}${nano}`, place, 'latin1')
    copy.write(`${now + 1 + ((index * index) % 400)}${nano}`, ends[index], 'latin1')
  })
  return { body: copy, ids }
}

const pick = (from, seed) => from[seed % from.length]

/** Records of about 450 bytes, whose times and requests are their own. */
function logs() {
  const hex = randomBytes(perBatch * 8).toString('hex')
  const logRecords = Array.from({ length: perBatch }, (_, at) => {
    const path = `/api/resource-${(turn + at) % 25}`
    const said = `${pick(['GET', 'POST'], at)} ${path} answered ${pick([200, 201, 404, 500], at + turn)} after`
    return {
      timeUnixNano: `${Date.now()}${String(at).padStart(6, '0')}`,
      severityNumber: pick([9, 9, 9, 13, 17], at + turn),
      severityText: 'INFO',
      body: { stringValue: `${said} ${(at * 37 + turn) % 900} ms for request ${hex.slice(at * 16, at * 16 + 16)}` },
      attributes: [
        text('http.route', path),
        text('user.id', `user-${(turn * 131 + at * 17) % 5000}`),
        text('thread.name', `worker-${at % 8}`),
        text('code.function.name', `handle${at % 40}`),
      ],
    }
  })
  const resource = { attributes: [text('service.name', `service-${turn++ % services}`)] }
  return { body: Buffer.from(JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })), ids: [] }
}

/** Points of 2,000 series in all, of each one every few seconds: counters, and gauges of two decimals. */
function points() {
  const time = `${Date.now()}000000`
  const dataPoints = Array.from({ length: perBatch / 2 }, (_, at) => ({
    attributes: [text('http.route', `/api/resource-${at}`), text('host.name', `host-${turn % 20}`)],
    startTimeUnixNano: '1700000000000000000',
    timeUnixNano: time,
  }))
  const sum = dataPoints.map((point, at) => ({ ...point, asInt: String(turn * (at + 1)) }))
  const gauge = dataPoints.map((point, at) => ({ ...point, asDouble: ((turn * 7919 + at * 131) % 10_000) / 100 }))
  const metrics = [
    {
      name: 'http.server.requests',
      unit: '1',
      sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints: sum },
    },
    { name: 'process.cpu.percent', unit: '%', gauge: { dataPoints: gauge } },
  ]
  const resource = { attributes: [text('service.name', 'bench')] }
  turn++
  return {
    body: Buffer.from(JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })),
    ids: [],
  }
}

const pooled = Math.ceil(20_000 / perBatch)

/**
 * Bodies that are made before, since making one costs more than taking it: each is sent again with times of its own, and with
 * traces of its own.
 */
function pool(make, kind, encoding) {
  const made = Array.from({ length: pooled }, () => {
    const json = make().body
    const body = encoding === 'proto' ? encode(kind, JSON.parse(json)) : json
    const values = pattern => [...new Set([...json.toString('latin1').matchAll(pattern)].map(([, value]) => value))]
    const write = value => {
      if (encoding === 'json') return Buffer.from(String(value))
      if (typeof value === 'string') return Buffer.from(value, 'hex')
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(value)
      return bytes
    }
    const places = value => {
      const found = []
      for (let at = body.indexOf(write(value)); at >= 0; at = body.indexOf(write(value), at + 1)) found.push(at)
      return found
    }
    const times = values(/imeUnixNano":"(1[789]\d{17})"/g).map(BigInt)
    const recent = times.filter(time => time > BigInt(Date.now() - 60_000) * 1_000_000n)
    const at = recent.map(time => ({ time, places: places(time) }))
    const ids = values(/(?:trace|span)Id":"(\w+)"/g).map(id => ({ length: write(id).length, places: places(id) }))
    return { json, body, made: BigInt(Date.now()), at, ids, write }
  })
  let turn = 0
  return () => {
    const { json, body, made: then, at, ids, write } = made[turn++ % pooled]
    const copy = Buffer.from(body)
    const later = (BigInt(Date.now()) - then) * 1_000_000n
    for (const { time, places } of at) {
      const bytes = write(time + later)
      for (const place of places) copy.set(bytes, place)
    }
    const fresh = encoding === 'json' ? Buffer.from(randomBytes(2048).toString('hex')) : randomBytes(4096)
    ids.forEach(({ length, places }, index) => {
      const bytes = fresh.subarray(index * 16, index * 16 + length)
      for (const place of places) copy.set(bytes, place)
    })
    const [first] = ids
    return {
      body: copy,
      size: json.length,
      ids: [first && copy.toString('hex', first.places[0], first.places[0] + 16)],
    }
  }
}

const kinds = {
  traces: { batch, count: body => body.resourceSpans[0].scopeSpans[0].spans.length },
  logs: { batch: logs, count: body => body.resourceLogs[0].scopeLogs[0].logRecords.length },
  metrics: { batch: points, count: body => body.resourceMetrics[0].scopeMetrics[0].metrics.length * (perBatch / 2) },
}

async function run({
  url,
  token,
  connections,
  seconds,
  kind = 'traces',
  encoding = 'json',
  batches = Number.POSITIVE_INFINITY,
}) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  let bytes = 0
  let begun = 0
  let refused = 0
  const kept = []
  const waits = []
  const make = encoding === 'json' && kind === 'traces' ? batch : pool(kinds[kind].batch, kind, encoding)
  const until = performance.now() + seconds * 1000
  const client = async () => {
    while (performance.now() < until && begun < batches) {
      begun++
      const { body, ids, size = body.length } = make()
      const began = performance.now()
      const status = await post(agent, `${url}/v1/${kind}`, token, body, mediaTypes[encoding])
      waits.push(performance.now() - began)
      if (status === 200) {
        sent += perBatch
        bytes += size
        if (kept.length < 2000 || sent % 10_000 === 0) kept.push(ids[0])
      } else refused++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  waits.sort((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0
  return { sent, bytes, refused, p50: waits[waits.length >> 1] ?? 0, p99, traces: kept.slice(-300) }
}

const mediaTypes = { json: 'application/json', proto: 'application/x-protobuf' }

function post(agent, url, token, body, type) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': type, 'x-app-token': token, 'content-length': body.length }
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
  const { batch: make, count } = kinds[process.argv[3] ?? 'traces']
  const bodies = Array.from({ length: 400 }, () => make().body)
  const before = process.cpuUsage()
  let items = 0
  const until = performance.now() + 3000
  while (performance.now() < until) {
    for (const body of bodies) items += count(JSON.parse(body.toString('utf8')))
  }
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(
    `${JSON.stringify({ perCpu: items / ((user + system) / 1e6), bytes: bodies[0].length / perBatch })}\n`,
  )
} else {
  process.stdout.write('{"ready":true}\n')
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`)
  }
}
