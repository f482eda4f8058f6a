import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@watchpost/contract'
import { expect, test } from 'vitest'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { readBody } from './otlp-body.ts'

test('a body whose sender hangs up is a bad request, and gives its place back', async () => {
  let held = 0
  const place = {
    grow: (bytes: number) => {
      held += bytes
      return true
    },
    end: () => {
      held = 0
    },
  }
  const telemetry = { begin: () => place } as unknown as Telemetry
  const arrived = Promise.withResolvers<IncomingMessage>()
  const server = createServer(incoming => arrived.resolve(incoming)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const client = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'content-length': '100' } })
  client.on('error', () => undefined)
  client.write('{"resourceSpans":')
  const incoming = await arrived.promise
  const body = readBody(incoming, 1000, telemetry)
  incoming.once('data', () => client.destroy())
  const error = await body.catch(reason => reason)
  expect(error).toBeInstanceOf(ApiError)
  expect([error.status, held]).toEqual([400, 0])
  server.close()
})
