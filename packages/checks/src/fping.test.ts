import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Echo, Fping, FpingUnusable } from './fping.ts'

const second: Omit<Echo, 'ip'> = { family: 4, count: 1, size: 56, gap: 10, timeout: 1000 }

/** An fping that does what the script says, alone in the path. It notes its arguments and what it was told to ping. */
function fakeFping(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-fping-'))
  const before = process.env.PATH
  onTestFinished(() => {
    process.env.PATH = before
    rmSync(folder, { recursive: true })
  })
  const note = `echo "$@" >> ${folder}/calls; while [ "$1" != -- ]; do shift; done; shift; targets="$*"; echo $targets >> ${folder}/targets`
  const answer = 'answer() { echo "$1 : [$2], 64 bytes, $3 ms (1 avg, 0% loss)"; }'
  writeFileSync(join(folder, 'fping'), `#!/bin/sh\necho $$ >> ${folder}/pids\n${answer}\n${note}\n${script}\n`)
  chmodSync(join(folder, 'fping'), 0o755)
  process.env.PATH = `${folder}:${before}`
  const read = (name: string) => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
  return { folder, calls: () => read('calls'), targets: () => read('targets'), pids: () => read('pids').map(Number) }
}

const within = (milliseconds: number) => AbortSignal.timeout(milliseconds)

async function took(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('the real fping', () => {
  test.each([
    ['127.0.0.1', 4],
    ['127.8.8.8', 4],
    ['::1', 6],
  ] as const)('hears %s', async (ip, family) => {
    const fping = new Fping()
    expect(fping.usable(family)).toBe(true)
    const report = await fping.ping({ ...second, ip, family, count: 3 }, within(10_000))
    expect(report).toMatchObject({ received: 3, lossPercent: 0 })
    expect(report.min).toBeLessThanOrEqual(report.average as number)
    expect(report.max).toBeGreaterThanOrEqual(report.average as number)
  })

  test.each([16, 1472, 8192])('sends packets of %i bytes', async size => {
    expect(await new Fping().ping({ ...second, ip: '127.0.0.1', size }, within(10_000))).toMatchObject({ received: 1 })
  })

  test('looks at hundreds of addresses at once', async () => {
    const fping = new Fping()
    const ips = Array.from({ length: 600 }, (_, index) => `127.0.${index >> 8}.${(index & 255) + 1}`).map(ip =>
      ip.replace(/\.256$/, '.255'),
    )
    const reports = await Promise.all(ips.map(ip => fping.ping({ ...second, ip, timeout: 5000 }, within(5000))))
    expect(reports.filter(({ received }) => received !== 1)).toEqual([])
  })
})

describe('checks that come together', () => {
  test('share a process when their packets are alike', async () => {
    const fake = fakeFping('for ip in $targets; do answer $ip 0 1.5; done')
    const fping = new Fping()
    const reports = await Promise.all([
      fping.ping({ ...second, ip: '10.0.0.1' }, within(10_000)),
      fping.ping({ ...second, ip: '10.0.0.2' }, within(10_000)),
      fping.ping({ ...second, ip: '10.0.0.3', size: 1000 }, within(10_000)),
    ])
    expect(reports.map(({ average }) => average)).toEqual([1.5, 1.5, 1.5])
    expect(fake.targets().sort()).toEqual(['10.0.0.1 10.0.0.2', '10.0.0.3'])
  })

  test('share the packets of an address that both ask for', async () => {
    const fake = fakeFping('for ip in $targets; do answer $ip 0 1.5; done')
    const fping = new Fping()
    const echo = { ...second, ip: '10.0.0.1' }
    const reports = await Promise.all([fping.ping(echo, within(10_000)), fping.ping(echo, within(10_000))])
    expect(reports.map(({ received }) => received)).toEqual([1, 1])
    expect(fake.targets()).toEqual(['10.0.0.1'])
  })

  test('end each at its own time, by its own answers', async () => {
    fakeFping('answer 10.0.0.1 0 1.5; exec sleep 30')
    const fping = new Fping()
    const dead = fping.ping({ ...second, ip: '10.0.0.2' }, within(3000))
    expect(await took(fping.ping({ ...second, ip: '10.0.0.1' }, within(10_000)))).toBeLessThan(2500)
    expect(await dead).toMatchObject({ received: 0, lossPercent: 100, average: null })
  })

  test('leave the process when the last of them is answered', async () => {
    const fake = fakeFping('answer 10.0.0.1 0 1.5; exec sleep 100')
    // Of so many some answer before it is known which process they are.
    const many = Array.from({ length: 40 }, () => new Fping().ping({ ...second, ip: '10.0.0.1' }, within(10_000)))
    await Promise.all(many)
    expect(fake.pids()).toHaveLength(40)
    await expect.poll(() => fake.pids().filter(isRunning)).toEqual([])
  })

  test('do not share it with addresses that failed the last time', async () => {
    const fake = fakeFping(`for ip in $targets; do
      [ $ip = 10.0.0.9 ] && echo "$ip : [0], timed out (NaN avg, 100% loss)" || answer $ip 0 1.5; done`)
    const fping = new Fping()
    const both = () =>
      Promise.all([
        fping.ping({ ...second, ip: '10.0.0.1' }, within(10_000)),
        fping.ping({ ...second, ip: '10.0.0.9' }, within(10_000)),
      ])
    await both()
    await both()
    expect(fake.targets().sort()).toEqual(['10.0.0.1', '10.0.0.1 10.0.0.9', '10.0.0.9'])
  })
})

describe('of the packets sent', () => {
  test('late and missing ones are lost, and nobody waits for them until the deadline', async () => {
    fakeFping('answer 10.0.0.1 0 2; answer 10.0.0.1 1 4; exec sleep 30')
    const ping = new Fping().ping({ ...second, ip: '10.0.0.1', count: 4, timeout: 20_000 }, within(20_000))
    expect(await ping).toEqual({ received: 2, lossPercent: 50, min: 2, average: 3, max: 4, deviation: 1 })
  })

  test('each counts once, however often it is answered', async () => {
    const twice = 'echo "10.0.0.1 : duplicate for [0], 64 bytes, 3 ms"; answer 10.0.0.1 0 9'
    fakeFping(`answer 10.0.0.1 0 2; ${twice}; echo "10.0.0.1 : [1], timed out (2 avg, 50% loss)"; exec sleep 30`)
    const report = await new Fping().ping({ ...second, ip: '10.0.0.1', count: 2 }, within(10_000))
    expect(report).toMatchObject({ received: 1, lossPercent: 50 })
  })

  test('what a router said of them is told', async () => {
    fakeFping(`echo 'ICMP Host Unreachable from 10.9.9.9 for ICMP Echo sent to 10.0.0.1' >&2
      echo '10.0.0.1 : [0], timed out (NaN avg, 100% loss)'`)
    const report = await new Fping().ping({ ...second, ip: '10.0.0.1' }, within(10_000))
    expect(report).toMatchObject({ received: 0, remark: 'Host Unreachable, says 10.9.9.9' })
  })

  test.each([
    ['No route to host', 'connect_unreachable'],
    ['No buffer space available', 'probe_resources'],
    ['Operation not permitted', 'probe_permission'],
    ['Something else', 'probe_internal'],
  ])('none could be sent: %s', async (message, kind) => {
    fakeFping(`echo '10.0.0.1: error while sending ping: ${message}' >&2; exit 1`)
    await expect(new Fping().ping({ ...second, ip: '10.0.0.1' }, within(10_000))).rejects.toMatchObject({ kind })
  })

  test('those heard while the probe stood still count, even past the deadline', async () => {
    fakeFping('answer 10.0.0.1 0 2')
    const ping = new Fping().ping({ ...second, ip: '10.0.0.1' }, within(400))
    await new Promise(resolve => setTimeout(resolve, 60))
    const until = performance.now() + 500
    while (performance.now() < until);
    expect(await ping).toMatchObject({ received: 1 })
  })
})

describe('fping that cannot do it', () => {
  test.each([
    `echo "fping: can't create socket (must run as root?)" >&2; exit 4`,
    'echo "fping: these options are too risky for mere mortals." >&2; exit 1',
    'exit 3',
    'kill -9 $$',
  ])('%s: is left alone for a minute', async script => {
    const fake = fakeFping(script)
    const fping = new Fping()
    const ping = () => fping.ping({ ...second, ip: '10.0.0.1' }, within(10_000))
    await expect(ping()).rejects.toBeInstanceOf(FpingUnusable)
    expect([fping.usable(4), fping.usable(6)]).toEqual([false, true])
    expect(fake.calls()).toHaveLength(1)
  })

  test('leaves the largest packets to others', () => {
    expect(new Fping().usable(4, 65_507)).toBe(false)
  })

  test('is not usable where there is none', () => {
    fakeFping('exit 0')
    process.env.PATH = '/nowhere'
    expect(new Fping().usable(4)).toBe(false)
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
