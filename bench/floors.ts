import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** Runs a module of its own in another process, so that its CPU is its own, and waits for the line with its port. */
async function separately(source: string, input?: Buffer) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  for await (const port of createInterface({ input: child.stdout })) {
    return { url: `http://127.0.0.1:${port}/`, pid: child.pid as number, stop: () => void child.kill() }
  }
  throw new Error('it ended before it listened')
}

/** What Fastify can do at most: one route, one prepared Buffer, nothing else. */
export const bareFastify = (payload: Buffer) =>
  separately(
    `import Fastify from 'fastify'
     const chunks = []
     for await (const chunk of process.stdin) chunks.push(chunk)
     const payload = Buffer.concat(chunks)
     const app = Fastify()
     app.get('/', (request, reply) => reply.type('application/json').send(payload))
     await app.listen({ host: '127.0.0.1', port: 0 })
     console.log(app.server.address().port)`,
    payload,
  )
