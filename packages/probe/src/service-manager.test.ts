import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ServiceManager } from './service-manager.ts'

/** A `systemd-notify` that writes down what it is to say. */
function fakeSystemd(more: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'watchpost-notify-'))
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$*" >> ${folder}/said\n`)
  chmodSync(join(folder, 'systemd-notify'), 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const troubles: string[] = []
  const env = { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/systemd/notify', ...more }
  const manager = new ServiceManager(env, message => troubles.push(message))
  onTestFinished(() => manager.stopping())
  const said = () => (existsSync(join(folder, 'said')) ? readFileSync(join(folder, 'said'), 'utf8') : '')
  return { manager, said, troubles }
}

test('says that the service is ready, and that it stops', async () => {
  const { manager, said } = fakeSystemd()
  manager.ready('3 monitors')
  await expect.poll(said).toBe(`--pid=${process.pid} READY=1 STATUS=3 monitors\n`)
  manager.stopping()
  await expect.poll(said).toContain('STOPPING=1')
})

test('shows life twice in the time that systemd waits', async () => {
  const { manager, said } = fakeSystemd({ WATCHDOG_USEC: '100000', WATCHDOG_PID: String(process.pid) })
  manager.ready('')
  manager.moved('4 monitors')
  await expect.poll(said).toContain('WATCHDOG=1 STATUS=4 monitors')
})

test('shows none that another process is asked for', async () => {
  const { manager, said } = fakeSystemd({ WATCHDOG_USEC: '20000', WATCHDOG_PID: '1' })
  manager.ready('')
  await expect.poll(said).toContain('READY=1')
  await new Promise(resolve => setTimeout(resolve, 100))
  expect(said()).not.toContain('WATCHDOG')
})

test('says nothing where no systemd listens', async () => {
  const { manager, said } = fakeSystemd({ NOTIFY_SOCKET: '' })
  manager.ready('')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(said()).toBe('')
})

test('a missing systemd-notify is told and harms nothing', async () => {
  const { manager, troubles } = fakeSystemd({ PATH: '/nowhere' })
  manager.ready('')
  await expect.poll(() => troubles.join()).toContain('systemd cannot be told "READY=1"')
})
