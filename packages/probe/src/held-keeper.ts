import type { HeldFile } from './held.ts'
import type { Logger } from './logger.ts'
import type { Schedule } from './schedule.ts'

/** What is held is written at most this often, and at least so often. */
const keepMs = 5000
const keepAnewMs = 600_000

export interface HeldKeeperOptions {
  file: HeldFile
  schedule: Schedule
  /** The server's time. */
  now: () => number
  /** Whether the server has answered in this run. */
  wasHeard: () => boolean
  log: Logger
}

/** When what a probe holds goes to disk, and when it is taken up again. */
export class HeldKeeper {
  readonly #options: HeldKeeperOptions
  #kept = { at: -Infinity, version: 0 }
  #tookUp = false

  constructor(options: HeldKeeperOptions) {
    this.#options = options
  }

  /** What is held goes to disk when it has changed, and now and then to say that it still holds. */
  keep(): void {
    const { file, schedule, log } = this.#options
    const now = performance.now()
    const { version } = schedule
    const since = now - this.#kept.at
    if (since < keepMs || (version === this.#kept.version && since < keepAnewMs)) return
    this.#kept = { at: now, version }
    file.save(schedule.held()).catch((error: Error) => {
      log.warn(`what is held is not on disk, and would be lost with this process: ${error.message}`)
    })
  }

  /** As it is at the end, unless nothing was heard that would replace what is there. */
  async keepLast(): Promise<void> {
    const { file, schedule, wasHeard } = this.#options
    if (!wasHeard() || this.#kept.version === schedule.version) return
    await file.save(schedule.held()).catch(() => undefined)
  }

  /** The server cannot be asked, and nothing was ever heard from it: what an earlier process held is taken up. */
  async takeUp(): Promise<void> {
    const { file, schedule, now, wasHeard, log } = this.#options
    if (wasHeard() || this.#tookUp) return
    this.#tookUp = true
    const held = await file.load()
    if (held.length === 0) return
    schedule.restore(held, now())
    log.info({ held: held.length }, 'going on with the checks that the last run held')
  }

  /** The token is not accepted: nothing is to be taken up by the next process. */
  forget(): Promise<void> {
    return this.#options.file.forget()
  }
}
