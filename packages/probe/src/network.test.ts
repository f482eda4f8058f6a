import { createServer, type Server } from 'node:net'
import type { ErrorKind, Outcome } from '@watchpost/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Address } from './config.ts'
import { isSuspect, mustAsk, Network } from './network.ts'

const outcome = (status: Outcome['status'], error_kind: ErrorKind | null = null): Outcome => ({
  status,
  response_time_ms: status === 'online' ? 5 : null,
  error_kind,
  error_message: error_kind,
  timings: {},
  details: {},
})
const timeout = outcome('offline', 'connect_timeout')
/** No connection leads there. */
const nowhere: Address = { host: '255.255.255.255', port: 9 }

describe('Network', () => {
  let here: Address
  let server: Server
  let asked: number
  const network = (more: Partial<ConstructorParameters<typeof Network>[0]> = {}) =>
    new Network({ witnesses: [], server: nowhere, held: () => 100, patienceMs: 100, ...more })

  beforeEach(async () => {
    asked = 0
    server = createServer(socket => {
      asked++
      socket.destroy()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    here = { host: '127.0.0.1', port: (server.address() as { port: number }).port }
  })
  afterEach(() => new Promise(resolve => server.close(resolve)))

  it('leaves the outcome as it is while a witness answers', async () => {
    expect(await network({ witnesses: [nowhere, here] }).judge(1, timeout)).toBe(timeout)
  })

  it('takes a refusal for an answer', async () => {
    await new Promise(resolve => server.close(resolve))
    expect(await network({ witnesses: [here] }).judge(1, timeout)).toBe(timeout)
    await new Promise<void>(resolve => server.listen(0, resolve))
  })

  it('takes the failure for its own when no witness answers', async () => {
    const judged = await network({ witnesses: [nowhere] }).judge(1, timeout)
    expect(judged).toMatchObject({ status: 'error', error_kind: 'probe_network' })
    expect(judged.error_message).toContain('none of its 1 witnesses answers')
  })

  it('asks once for all that fail together', async () => {
    const asking = network({ witnesses: [here] })
    await Promise.all(Array.from({ length: 50 }, (_, id) => asking.judge(id, timeout)))
    expect(asked).toBe(1)
  })

  it('asks again once the answer is old', async () => {
    let now = 0
    const asking = network({ witnesses: [here], now: () => now })
    await asking.judge(1, timeout)
    now = 1000
    await asking.judge(1, timeout)
    expect(asked).toBe(2)
  })

  it('without witnesses believes a few failures, and asks the control plane about many', async () => {
    const asking = network()
    const judged = [await asking.judge(1, timeout), await asking.judge(2, timeout), await asking.judge(3, timeout)]
    expect(judged.map(({ status }) => status)).toEqual(['offline', 'offline', 'error'])
    expect(judged[2]?.error_message).toContain('the control plane does not answer either')
  })

  it('believes again in its network once something has answered', async () => {
    const asking = network()
    for (const id of [1, 2]) asking.judge(id, timeout)
    asking.judge(3, outcome('online'))
    expect(asking.judge(4, timeout)).toBe(timeout)
  })

  it('does not doubt what no network would have changed', () => {
    for (const kind of ['http_status', 'connect_refused', 'tls_expired', 'dns_nxdomain', 'keyword_missing'] as const) {
      const seen = outcome('offline', kind)
      expect(network({ witnesses: [nowhere] }).judge(1, seen)).toBe(seen)
    }
  })

  it.each([
    [1, 100, 1, true],
    [1, 100, 0, false],
    [3, 100, 0, true],
    [1, 1, 0, true],
    [1, 2, 0, false],
    [2, 2, 0, true],
  ])('with %i failing of %i held and %i witnesses: must ask %s', (failing, held, witnesses, must) => {
    expect(mustAsk(failing, held, witnesses)).toBe(must)
  })

  it('suspects failures, not the trouble of the probe', () => {
    expect([isSuspect(timeout), isSuspect(outcome('error', 'probe_resources')), isSuspect(outcome('online'))]).toEqual([
      true,
      false,
      false,
    ])
  })
})
