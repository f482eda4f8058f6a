import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sent, trustRoot } from './testing/authority.ts'
import { run, soon } from './testing/run.ts'
import { closedPort, tcpServer, tlsServer } from './testing/servers.ts'

beforeAll(trustRoot)

test('an open port is online', async () => {
  const outcome = await run('tcp', await tcpServer(() => {}))
  expect(outcome).toMatchObject({ status: 'online', error_kind: null, details: { address: '127.0.0.1' } })
  expect(Object.keys(outcome.timings)).toEqual(['connect_ms'])
})

test('a name is resolved first', async () => {
  const [, port] = (await tcpServer(() => {})).split(':')
  const outcome = await run('tcp', `localhost:${port}`)
  expect(outcome).toMatchObject({ status: 'online', details: { address: '127.0.0.1' } })
  expect(outcome.timings).toHaveProperty('resolve_ms')
})

test('an IPv6 address works', async () => {
  expect(await run('tcp', await tcpServer(() => {}, '::1'))).toMatchObject({ status: 'online' })
})

test('a closed port refuses', async () => {
  const address = await closedPort()
  expect(await run('tcp', address)).toMatchObject({
    status: 'offline',
    response_time_ms: null,
    error_kind: 'connect_refused',
    error_message: `Connection refused by ${address}.`,
  })
})

test('an address that answers nothing runs into the deadline', async () => {
  // Nobody has this address of the test network; loopback answers for itself, so it cannot stand in.
  const outcome = await run('tcp', '192.0.2.77:9', {}, soon)
  expect(outcome.status).not.toBe('online')
  expect(outcome.error_kind).toMatch(/^(connect_timeout|connect_unreachable|probe_network)$/)
})

test('a server that takes no more connections runs into the deadline', async () => {
  const address = await deafServer()
  const held = Array.from({ length: 8 }, () => connect(Number(address.split(':')[1]), '127.0.0.1'))
  for (const socket of held) socket.on('error', () => {})
  onTestFinished(() => {
    for (const socket of held) socket.destroy()
  })
  const outcome = await run('tcp', address, {}, soon)
  expect(outcome).toMatchObject({ status: 'offline', error_kind: 'connect_timeout', response_time_ms: null })
  expect(outcome.error_message).toBe(`No connection to ${address} within 0.4 s.`)
})

test('an answer may come byte by byte, and split a letter', async () => {
  const address = await tcpServer(socket => {
    const bytes = [...Buffer.from('ready: grün')]
    const timer = setInterval(() => {
      const byte = bytes.shift()
      if (byte === undefined) clearInterval(timer)
      else socket.write(Buffer.from([byte]))
    }, 2)
    socket.once('close', () => clearInterval(timer))
  })
  expect(await run('tcp', address, { expect: 'grün' })).toMatchObject({ status: 'online' })
})

test('the address guard holds for IPv6 and for addresses within it', async () => {
  const address = await tcpServer(() => {}, '::1')
  const denied = await run('tcp', address, {}, { policy: { private: 'deny' } })
  expect(denied).toMatchObject({ error_kind: 'address_refused' })
  expect(await run('ssl', '[::ffff:169.254.169.254]:443')).toMatchObject({ error_kind: 'address_refused' })
})

test('what is sent is answered as expected, even in pieces', async () => {
  const address = await tcpServer(socket => {
    socket.once('data', data => {
      socket.write(`you said ${data.toString().trim()}: +PO`)
      setImmediate(() => socket.write('NG\r\n'))
    })
  })
  const outcome = await run('tcp', address, { send: 'PING\r\n', expect: 'PING: +PONG' })
  expect(outcome).toMatchObject({ status: 'online' })
  expect(outcome.timings).toHaveProperty('first_byte_ms')
})

test.each([
  ['says nothing', () => {}, /did not answer within 0\.4 s with the expected text\.$/, undefined],
  [
    'says something else and ends',
    (socket: { end(text: string): void }) => void socket.end('-ERR password=abc12345\r\n'),
    /closed the connection without the expected text\.$/,
    '-ERR password=[redacted]',
  ],
])('a server that %s is not as expected', async (_, talk, message, excerpt) => {
  const outcome = await run('tcp', await tcpServer(talk), { expect: '+PONG' }, soon)
  expect(outcome).toMatchObject({ status: 'offline', error_kind: 'tcp_expect' })
  expect(outcome.error_message).toMatch(message)
  expect(outcome.details.excerpt).toBe(excerpt)
})

test('a server that never stops talking is cut off', async () => {
  const address = await tcpServer(socket => {
    const more = () => {
      while (!socket.destroyed && socket.write('blah '.repeat(1000)));
    }
    socket.on('drain', more)
    more()
  })
  const outcome = await run('tcp', address, { expect: 'needle' })
  expect(outcome).toMatchObject({ error_kind: 'tcp_expect' })
  expect(outcome.error_message).toMatch(/sent \d+ bytes without the expected text\.$/)
})

test('a reset is a reset', async () => {
  const address = await tcpServer(socket => socket.resetAndDestroy())
  const outcome = await run('tcp', address, { send: 'x', expect: 'y' })
  expect(outcome.error_kind).toMatch(/^(connect_reset|tcp_expect)$/)
})

test('with TLS the text goes over the encrypted connection', async () => {
  const address = await tlsServer(sent.good, socket => void socket.write('220 ready\r\n'))
  const outcome = await run('tcp', address, { tls: true, expect: '220 ready' })
  expect(outcome).toMatchObject({ status: 'online', details: { tls: { protocol: 'TLSv1.3' } } })
})

test('private addresses can be denied, metadata always is', async () => {
  const address = await tcpServer(() => {})
  const denied = await run('tcp', address, {}, { policy: { private: 'deny' } })
  expect(denied).toMatchObject({ status: 'offline', error_kind: 'address_refused' })
  expect(await run('tcp', '169.254.169.254:80')).toMatchObject({ error_kind: 'address_refused' })
})

/** Listens, but accepts nobody: a handful of connections wait in its queue, others are not answered. */
async function deafServer(): Promise<string> {
  const program = `
    const { parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })`
  const worker = new Worker(program, { eval: true })
  onTestFinished(async () => void (await worker.terminate()))
  const [port] = (await once(worker, 'message')) as [number]
  return `127.0.0.1:${port}`
}
