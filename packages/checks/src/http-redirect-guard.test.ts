import { beforeEach, expect, test, vi } from 'vitest'
import type { Question, Reply } from './http-exchange.ts'
import { run } from './testing/run.ts'

// A server at a public address, which tests cannot have: it answers every request with a redirect to `location`.
const server = vi.hoisted(() => ({ location: '', asked: [] as string[] }))
vi.mock('./http-exchange.ts', () => ({
  exchange: async (_: unknown, { ip, keep }: Question): Promise<Reply> => {
    server.asked.push(ip)
    const head = { status: 302, version: '1.1', headers: new Map([['location', server.location]]) }
    expect(keep(head)).toBeNull()
    return { head, body: null }
  },
}))

const start = 'http://93.184.215.14/'
const deny = { policy: { private: 'deny' } } as const

beforeEach(() => {
  server.asked = []
})

test.each([
  ['http://127.0.0.1/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://localhost/', '127.0.0.1'],
  ['http://10.1.2.3:8080/admin', '10.1.2.3'],
  ['//192.168.1.1/', '192.168.1.1'],
  ['https://172.16.0.1/', '172.16.0.1'],
  ['http://100.64.0.1/', '100.64.0.1'],
  ['http://[::1]/', '::1'],
  ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
  ['http://[fd12::1]/', 'fd12::1'],
  ['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
])(
  'a public address that leads to %s is not followed there where private addresses are denied',
  async (to, address) => {
    server.location = to
    const outcome = await run('http', start, {}, deny)
    expect(outcome).toMatchObject({
      status: 'offline',
      error_kind: 'address_refused',
      details: { address, redirects: 1 },
    })
    expect(server.asked).toEqual(['93.184.215.14'])
  },
)

test('every hop is judged, not only the first', async () => {
  const hops = ['http://93.184.215.15/', 'http://93.184.215.16/', 'http://10.0.0.1/', 'http://93.184.215.17/']
  vi.spyOn(server, 'location', 'get').mockImplementation(() => hops[server.asked.length - 1] ?? '')
  const outcome = await run('http', start, {}, deny)
  vi.restoreAllMocks()
  expect(outcome).toMatchObject({ error_kind: 'address_refused', details: { address: '10.0.0.1', redirects: 3 } })
  expect(server.asked).toEqual(['93.184.215.14', '93.184.215.15', '93.184.215.16'])
})

test('where private addresses are allowed the same redirect is followed', async () => {
  server.location = 'http://10.1.2.3/'
  expect(await run('http', start)).toMatchObject({ error_kind: 'http_redirect_loop' })
  expect(server.asked).toEqual(['93.184.215.14', '10.1.2.3'])
})
