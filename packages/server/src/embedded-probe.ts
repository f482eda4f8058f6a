import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Check } from '@watchpost/checks'
import { ApiError, type Outcome } from '@watchpost/contract'
import { probeByHash } from '@watchpost/store'
import { instanceTeam, provisionProbe } from './api/probes.ts'
import type { Context } from './context.ts'
import { Turns } from './domain/turns.ts'
import { hashToken } from './secrets.ts'

/** Where its token lies in a data directory. */
export const probeTokenName = 'embedded-probe.token'
const restartAfterMs = 2000
/** Targets that are tried at once: by all teams, and by one. */
const mostLooks = 16
const mostLooksOfTeam = 4
/** What a check may take beyond its timeout, and then some. */
const lookGraceMs = 3000

/**
 * What the probe's launcher says to V8 and to malloc: nearly nothing there lives longer than a check, so little room for what is
 * new, and what has died among the old is collected before it is as much as what lives (docs/decisions/0021).
 */
const leanFlags = ['--max-semi-space-size=4', '--heap-growing-percent=30']
const leanMalloc = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' }

/**
 * The probe beside the server (`--with-probe`): a process of its own, so that no amount of checking delays an answer.
 * It is started again when it ends by itself, and ends when this process does, even by `kill -9`.
 */
export class EmbeddedProbe {
  private readonly context: Context
  private readonly program: string
  private child: ChildProcess | undefined
  private timer: NodeJS.Timeout | undefined
  private stopped = false
  private readonly looks = new Map<number, (outcome: Outcome) => void>()
  private readonly turns = new Turns(mostLooks, mostLooksOfTeam)
  private lastLook = 0

  /** @param program path of the probe's launcher */
  constructor(context: Context, program: string) {
    this.context = context
    this.program = program
  }

  async start(serverUrl: string): Promise<void> {
    this.launch(serverUrl, await this.token())
  }

  /**
   * Has the probe look at a target once. The server itself never does: what strangers send is read in another process.
   * @throws {ApiError} unavailable while the probe is not there, or has enough of these to do, or enough of this team's
   */
  look(team_id: number, check: Check, privateAddresses: 'allow' | 'deny'): Promise<Outcome> {
    const { child } = this
    const over = child?.connected === true ? this.turns.take(team_id) : undefined
    if (child === undefined || over === undefined) {
      return Promise.reject(new ApiError('unavailable', 'The probe beside the server is busy', { retryAfter: 5 }))
    }
    const look = ++this.lastLook
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.looks.delete(look)
        over()
      }
      const giveUp = () => {
        end()
        reject(new ApiError('unavailable', 'The probe beside the server gave no answer', { retryAfter: 5 }))
      }
      const timer = setTimeout(giveUp, check.timeout * 1000 + lookGraceMs)
      this.looks.set(look, outcome => {
        end()
        resolve(outcome)
      })
      // A probe that ended in between is found out by the time that passes.
      child.send({ look, check, private: privateAddresses }, error => error !== null && giveUp())
    })
  }

  /** Resolves once the probe has finished its running checks and handed in what it found. */
  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    const { child } = this
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    const lastResort = setTimeout(() => child.kill('SIGKILL'), 6000)
    await ended
    clearTimeout(lastResort)
  }

  private launch(serverUrl: string, token: string): void {
    const { config } = this.context
    const args = ['run', '--server', serverUrl, '--spool-dir', join(config.dataDir, 'probe-spool')]
    // The IPC channel is the leash: it closes with this process, however that ends.
    const child = spawn(process.execPath, [...leanFlags, this.program, ...args, '--log-level', config.logLevel], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: probeEnvironment(token),
    })
    this.child = child
    child.on('message', message => {
      const { look, outcome } = message as { look?: number; outcome?: Outcome }
      if (look !== undefined && outcome !== undefined) this.looks.get(look)?.(outcome)
    })
    let over = false
    const restart = (why: object) => {
      // A spawn that fails says so without an exit; one that works may say both.
      if (over || this.stopped) return
      over = true
      this.context.log.error(why, 'the embedded probe ended; starting it again')
      this.timer = setTimeout(() => this.launch(serverUrl, token), restartAfterMs)
    }
    child.on('error', error => restart({ err: error }))
    child.on('exit', (code, signal) => restart({ code, signal }))
  }

  /** Kept beside the data, so that every start is the same probe to the control plane. */
  private async token(): Promise<string> {
    const file = join(this.context.config.dataDir, probeTokenName)
    const kept = readIfThere(file)
    if (kept !== undefined && (await this.context.db.one(probeByHash, { hash: hashToken(kept) })) !== undefined)
      return kept
    const { token } = await provisionProbe(this.context, instanceTeam, hostname(), 'default')
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    return token
  }
}

/** Ours without our secrets: the probe reads what strangers send. */
function probeEnvironment(token: string): NodeJS.ProcessEnv {
  const secrets = /^WATCHPOST_(DATABASE_URL|INSTANCE_KEY|SMTP_URL)(_FILE)?$/
  const harmless = Object.entries(process.env).filter(([name]) => !secrets.test(name))
  return {
    // Name look-ups wait for a thread; with Node's four, a few slow ones would make the others look slow.
    UV_THREADPOOL_SIZE: '64',
    ...Object.fromEntries(harmless),
    ...leanMalloc,
    WATCHPOST_PROBE_TOKEN: token,
    WATCHPOST_PROBE_PARENT: '1',
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
