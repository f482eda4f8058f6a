// What serving bytes costs Fastify at least: one route, one Buffer, which comes by standard input.
import Fastify from 'fastify'

const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const payload = Buffer.concat(chunks)
const app = Fastify()
app.get('/', (_request, reply) => reply.type('application/json').send(payload))
await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${app.server.address().port}/` })}\n`)
