import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Client, createClient, UnreachableError } from './client.ts'
import { ApiError, errorBody } from './error.ts'

let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string }
let client: Client
const server = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    asked = { method: request.method, url: request.url, headers: request.headers, body }
    answer(request, response)
  })
})

beforeEach(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  client = createClient({ url: `http://127.0.0.1:${port}/`, token: 'wp_api_x', timeoutMs: 300 })
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const json =
  (status: number, body: unknown, headers = {}) =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

test('a call is a method, a filled path, a query and a body', async () => {
  answer = json(200, { success: true, message: 'Success', data: {} })
  await client.updateMonitor({ params: { id: 7 }, body: { name: 'a' } })
  expect(asked).toMatchObject({ method: 'PATCH', url: '/v1/monitors/7', body: '{"name":"a"}' })
  expect(asked.headers).toMatchObject({ authorization: 'Bearer wp_api_x', 'content-type': 'application/json' })
  await client.listMonitors({ query: { status: 'online', page: 2, sort: undefined } })
  expect(asked.url).toBe('/v1/monitors?status=online&page=2')
})

test('a parameter cannot leave its place in the path', async () => {
  answer = json(200, {})
  await client.getStatus({ params: { slug: '../v1/tokens?x' } })
  expect(asked.url).toBe('/api/status/..%2Fv1%2Ftokens%3Fx')
})

test('what the server refuses comes back as the error it is', async () => {
  const said = new ApiError('validation_failed', 'Validation failed', { errors: { name: 'is required' } })
  answer = json(422, errorBody(said))
  const error = await client.getTeam().catch(error => error)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: 'validation_failed', status: 422, errors: { name: 'is required' } })
})

test.each([
  [429, 'rate_limit_exceeded'],
  [404, 'not_found'],
  [502, 'unavailable'],
  [418, 'bad_request'],
])("a proxy's page with status %i counts by its status", async (status, code) => {
  answer = (_, response) => void response.writeHead(status, { 'retry-after': '7' }).end('<html>')
  expect(await client.getTeam().catch(error => error)).toMatchObject({ code, retryAfter: 7 })
})

test('no answer in time, no server, and an answer that is not ours are one kind of trouble', async () => {
  answer = () => undefined
  await expect(client.getTeam()).rejects.toThrow('no answer in time')
  answer = (_, response) => void response.end('<html>welcome</html>')
  await expect(client.getTeam()).rejects.toThrow('not as a Watchpost server does')
  const gone = createServer()
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
  const { port } = gone.address() as AddressInfo
  await new Promise(resolve => gone.close(resolve))
  const nobody = createClient({ url: `http://127.0.0.1:${port}` })
  await expect(nobody.getTeam()).rejects.toThrow(UnreachableError)
  await expect(nobody.getTeam()).rejects.toThrow('connection refused; is the server running?')
})

test('a redirect is not followed: the token is for this server', async () => {
  answer = (_, response) => void response.writeHead(302, { location: 'http://elsewhere.example/' }).end()
  await expect(client.getTeam()).rejects.toThrow(UnreachableError)
})
