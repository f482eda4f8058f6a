// What accepting a result costs at least: Fastify, a schema, one row and one index in SQLite, one commit with synchronous
// FULL for all that wait, and the answer after it.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import Fastify from 'fastify'
import { directory } from './lib.mjs'

const dir = directory()
const db = new Database(join(dir.path, 'floor.db'))
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.pragma(pragma)
db.exec(
  'create table checks (monitor_id integer, at integer, up integer, ms real); create index i on checks (monitor_id, at)',
)
const insert = db.prepare('insert into checks values (?, ?, ?, ?)')
const [begin, commit] = [db.prepare('begin immediate'), db.prepare('commit')]
let waiting = []
let armed = false

function flush() {
  const group = waiting
  waiting = []
  armed = false
  const now = Date.now()
  begin.run()
  for (const { results } of group) {
    for (const { monitor_id, status, response_time_ms } of results) {
      insert.run(monitor_id, now, status === 'online' ? 1 : 0, response_time_ms)
    }
  }
  commit.run()
  for (const { done } of group) done()
}

const accept = results =>
  new Promise(done => {
    waiting.push({ results, done })
    if (armed) return
    armed = true
    setImmediate(flush)
  })

const result = {
  type: 'object',
  required: ['monitor_id', 'status'],
  properties: {
    monitor_id: { type: 'integer' },
    status: { type: 'string', enum: ['online', 'offline'] },
    response_time_ms: { type: 'number' },
  },
}
const body = { type: 'object', required: ['results'], properties: { results: { type: 'array', items: result } } }
const app = Fastify({ bodyLimit: 1_048_576 })
app.post('/v1/probe/check-result', { schema: { body: result } }, async request => {
  await accept([request.body])
  return { success: true, message: 'Result accepted', data: { monitor_id: request.body.monitor_id, status: 'online' } }
})
app.post('/v1/probe/check-results', { schema: { body } }, async request => {
  await accept(request.body.results)
  return { data: request.body.results.map(() => ({ ok: true, status: 'online' })) }
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${app.server.address().port}` })}\n`)
process.on('SIGTERM', () => {
  db.close()
  dir.remove()
  process.exit(0)
})
