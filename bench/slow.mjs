// A target that answers after exactly so many milliseconds: node slow.mjs 20
import { createServer } from 'node:http'

const body = Buffer.alloc(1024, 'x')
const server = createServer((_, response) => {
  setTimeout(() => {
    response.writeHead(200, { 'content-length': body.length, connection: 'close' })
    response.end(body)
  }, Number(process.argv[2]))
})
server.listen({ port: 0, host: '0.0.0.0', backlog: 4096 }, () =>
  process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`),
)
