import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { run, soon } from './testing/run.ts'

const forbiddenFping = `echo "fping: can't create socket (must run as root?) : Operation not permitted" >&2; exit 4`

/** Puts a `ping` that does what the script says in front of the real one, and an fping that may do nothing. */
function fakePing(script: string | null, fping = forbiddenFping): string {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-ping-'))
  const write = (name: string, content: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${content}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  if (script !== null) {
    write('ping', script)
    write('fping', fping)
  }
  const before = process.env.PATH
  process.env.PATH = script === null ? folder : `${folder}:${before}`
  onTestFinished(() => {
    process.env.PATH = before
    rmSync(folder, { recursive: true })
  })
  return folder
}

const report = (loss: number, received: number) =>
  `echo "PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data."
for i in $(seq ${received}); do echo "64 bytes from 127.0.0.1: icmp_seq=$i ttl=64 time=2.50 ms"; done
echo; echo "--- 127.0.0.1 ping statistics ---"
echo "4 packets transmitted, ${received} received, ${loss}% packet loss, time 3004ms"
[ ${received} -gt 0 ] && echo "rtt min/avg/max/mdev = 1.000/2.500/4.000/0.500 ms"`

describe('the real ping', () => {
  test.each(['127.0.0.1', '::1', 'localhost'])('reaches %s', async target => {
    const outcome = await run('ping', target)
    expect(outcome).toMatchObject({
      status: 'online',
      error_kind: null,
      details: { packets_sent: 3, packets_received: 3, loss_percent: 0 },
    })
    expect(outcome.response_time_ms).toBe(Math.round((outcome.details.rtt_avg_ms as number) * 100) / 100)
  })

  test('sends as many packets of the size asked for', async () => {
    const outcome = await run('ping', '127.0.0.1', { count: 5, size: 1000 })
    expect(outcome).toMatchObject({ status: 'online', details: { packets_sent: 5, packets_received: 5 } })
  })

  test('sends the largest packets', async () => {
    expect(await run('ping', '127.0.0.1', { size: 65_507 })).toMatchObject({ status: 'online' })
  })

  test('is quick', async () => {
    const started = performance.now()
    await run('ping', '127.0.0.1', {}, { timeout: 10 })
    expect(performance.now() - started).toBeLessThan(9000)
  })
})

describe('what ping reports is judged', () => {
  test.each([
    [25, 3, {}, 'online', null],
    [50, 2, {}, 'online', null],
    [75, 1, {}, 'offline', 'packet_loss'],
    [25, 3, { max_loss_percent: 0 }, 'offline', 'packet_loss'],
    [75, 1, { max_loss_percent: 75 }, 'online', null],
    [100, 0, { max_loss_percent: 100 }, 'offline', 'packet_loss'],
  ])('a loss of %i percent (%i received) with %j is %s', async (loss, received, options, status, kind) => {
    fakePing(report(loss, received))
    const outcome = await run('ping', '127.0.0.1', { count: 4, ...options })
    expect(outcome).toMatchObject({ status, error_kind: kind, details: { loss_percent: loss } })
    expect(outcome.response_time_ms).toBe(received > 0 ? 2.5 : null)
  })

  test('a host that does not answer loses all packets', async () => {
    fakePing(report(100, 0))
    expect(await run('ping', '127.0.0.1', { count: 4 })).toMatchObject({
      status: 'offline',
      error_kind: 'packet_loss',
      error_message: '127.0.0.1 answered 0 of 4 packets.',
    })
  })
})

describe("the probe's own trouble is not the target's", () => {
  test.each([
    ['has no ping', null, 'probe_permission', /install iputils-ping/],
    ['may not ping', 'echo "ping: socket: Operation not permitted" >&2; exit 2', 'probe_permission', /cap_net_raw/],
    [
      'may not ping, says a newer ping',
      'echo "ping: => missing cap_net_raw+p capability or setuid?" >&2; exit 2',
      'probe_permission',
      /ping_group_range/,
    ],
    ['does not understand ping', 'echo odd', 'probe_internal', /something unknown: "odd"/],
    ['does not understand ping at all', 'echo PING', 'probe_internal', /something unknown/],
    ['hears nothing from ping', 'exit 1', 'probe_internal', /something unknown/],
  ])('when it %s', async (_, script, kind, message) => {
    fakePing(script)
    const outcome = await run('ping', '127.0.0.1')
    expect(outcome).toMatchObject({ status: 'error', error_kind: kind, response_time_ms: null })
    expect(outcome.error_message).toMatch(message)
  })

  test('when ping may not be executed', async () => {
    const folder = fakePing(null)
    writeFileSync(join(folder, 'ping'), '#!/bin/sh\n')
    expect(await run('ping', '127.0.0.1')).toMatchObject({ status: 'error', error_kind: 'probe_permission' })
  })

  test('when ping is refused before it is a process', async () => {
    const folder = fakePing(null)
    symlinkSync('ping', join(folder, 'ping'))
    expect(await run('ping', '127.0.0.1')).toMatchObject({
      status: 'error',
      error_kind: 'probe_internal',
      error_message: 'The ping program cannot be started (ELOOP).',
    })
  })
})

test('the deadline ends a ping that hangs', async () => {
  const folder = fakePing(`echo $$ > "$(dirname "$0")/pid"; exec sleep 30`)
  const started = performance.now()
  expect(await run('ping', '127.0.0.1', {}, soon)).toMatchObject({ status: 'offline', error_kind: 'packet_loss' })
  expect(performance.now() - started).toBeLessThan(10_000)
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test.each(['-f', '-I eth0', '127.0.0.1 -f', '$(reboot)'])('%s never reaches the program', async target => {
  fakePing('touch "$(dirname "$0")/called"')
  expect(await run('ping', target)).toMatchObject({ status: 'error', error_kind: 'probe_internal' })
})

test('addresses are judged before a packet leaves', async () => {
  expect(await run('ping', '169.254.169.254')).toMatchObject({ error_kind: 'address_refused' })
  expect(await run('ping', '127.0.0.1', {}, { policy: { private: 'deny' } })).toMatchObject({
    status: 'offline',
    error_kind: 'address_refused',
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
