import { spawn } from 'node:child_process'
import type { Env } from './config.ts'

/** No sign of the loop that asks for checks for this long: it hangs. The server may ask for pauses of five minutes. */
const longestSilenceMs = 900_000

/**
 * Tells systemd how the service is (`Type=notify`). Node has no sockets of the kind that NOTIFY_SOCKET is, so the program
 * `systemd-notify` speaks for us; the unit allows that with `NotifyAccess=all`.
 */
export class ServiceManager {
  readonly #env: Env
  readonly #onTrouble: (message: string) => void
  readonly #watchdogMs: number | undefined
  #timer: NodeJS.Timeout | undefined
  #movedAt = performance.now()
  #status = ''

  constructor(env: Env, onTrouble: (message: string) => void) {
    this.#env = env
    this.#onTrouble = onTrouble
    this.#watchdogMs = watchdogMs(env)
  }

  /** The service works, and from now on shows signs of life while it does. */
  ready(status: string): void {
    this.moved(status)
    this.#tell('READY=1', `STATUS=${this.#status}`)
    if (this.#watchdogMs === undefined || this.#env.NOTIFY_SOCKET === undefined) return
    this.#timer = setInterval(() => this.#showLife(), this.#watchdogMs / 2).unref()
  }

  /** The loop that everything hangs on has come round. */
  moved(status: string): void {
    this.#movedAt = performance.now()
    this.#status = status
  }

  stopping(): void {
    clearInterval(this.#timer)
    this.#tell('STOPPING=1', 'STATUS=Finishing what runs')
  }

  #showLife(): void {
    if (performance.now() - this.#movedAt > longestSilenceMs) return
    this.#tell('WATCHDOG=1', `STATUS=${this.#status}`)
  }

  #tell(...what: string[]): void {
    if (!this.#env.NOTIFY_SOCKET) return
    const child = spawn('systemd-notify', [`--pid=${process.pid}`, ...what], {
      env: this.#env as NodeJS.ProcessEnv,
      stdio: 'ignore',
    })
    child.once('error', error => this.#onTrouble(`systemd cannot be told "${what[0]}": ${error.message}`))
    child.once('exit', code => {
      if (code !== 0 && code !== null)
        this.#onTrouble(`systemd cannot be told "${what[0]}": systemd-notify ended with ${code}`)
    })
  }
}

/** What systemd waits for signs of life, if it does so of this very process. */
function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: Env): number | undefined {
  const milliseconds = Number(WATCHDOG_USEC) / 1000
  const isForUs = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid
  return milliseconds > 0 && isForUs ? milliseconds : undefined
}
