import { type Monitor, type MonitorStatus, monitorStatuses } from '@watchpost/contract'
import { Option } from 'commander'
import type { Call } from '../command.ts'
import { parseDuration, sayDuration } from '../duration.ts'
import { exitCodes } from '../exit.ts'
import { pause as rest } from '../pause.ts'
import { UsageError } from '../usage-error.ts'
import { isPassing } from '../watch/poll.ts'

const defaultTimeout = '60s'

export function waitOptions(): Option[] {
  return [
    new Option('--wait <status>', `return when the monitor is so: one of ${monitorStatuses.join(', ')}`),
    new Option('--wait-timeout <time>', `then give up, with exit code 1 (default ${defaultTimeout})`),
  ]
}

/** A wrong flag is found before anything is made. */
export function checkWait(call: Call): void {
  wishOf(call)
}

/** Waits where `--wait` asks for it; the monitor is shown as it was last seen either way. */
export async function thenWait(monitor: Monitor, call: Call): Promise<{ shown: Monitor; code?: number }> {
  const wish = wishOf(call)
  if (wish === undefined) return { shown: monitor }
  const { out } = call.session
  const shown = await lastSeen(monitor, wish, call)
  if (shown.status === wish.status) return { shown }
  out.note(`error: monitor ${shown.id} is ${shown.status}, not ${wish.status}, after ${sayDuration(wish.timeoutMs)}`)
  return { shown, code: exitCodes.bad }
}

interface Wish {
  status: MonitorStatus
  timeoutMs: number
}

function wishOf({ given }: Call): Wish | undefined {
  if (given.wait === undefined) {
    if (given.waitTimeout !== undefined) throw new UsageError('--wait-timeout: needs --wait STATUS')
    return undefined
  }
  const status = monitorStatuses.find(each => each === given.wait)
  if (status === undefined) {
    throw new UsageError(`--wait: must be one of ${monitorStatuses.join(', ')}, not "${given.wait}"`)
  }
  return { status, timeoutMs: parseDuration(String(given.waitTimeout ?? defaultTimeout), '--wait-timeout') }
}

async function lastSeen(first: Monitor, { status, timeoutMs }: Wish, { session }: Call): Promise<Monitor> {
  const deadline = performance.now() + timeoutMs
  let monitor = first
  for (let round = 0; monitor.status !== status; round++) {
    // Quick at first, then slow enough for a token that may ask 60 times a minute.
    const pause = round < 8 ? 250 + 100 * round : 2000
    const left = deadline - performance.now()
    if (left <= 0) break
    await rest(Math.ceil(Math.min(pause, left)), session.io.signal)
    try {
      const atMostMs = Math.max(1000, deadline - performance.now())
      monitor = (await session.oneRound(atMostMs).getMonitor({ params: { id: first.id } })).data
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
  return monitor
}
