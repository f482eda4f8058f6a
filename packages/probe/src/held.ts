import { createHash } from 'node:crypto'
import { open, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { HeldCheck } from './schedule.ts'

export interface HeldOptions {
  /** The spool's directory, which no other probe uses. */
  dir: string
  /** Whose checks these are: another server, or another probe's token, has no use for them. */
  server: string
  token: string
  /** Older than this they are left alone: too much may have changed. */
  maxAgeMs?: number
  now?: () => number
}

/** What a probe holds of one monitor: how to look, and one of the times it is due, which tells all that follow. */
export interface Held {
  check: HeldCheck
  dueAt: number
}

const linesAtOnce = 500

/**
 * What this probe is to look at, on disk beside the spool, so that a probe started while the control plane is away knows
 * what to do. Settings may hold secrets: the file is its owner's alone.
 */
export class HeldFile {
  readonly #path: string
  readonly #head: { server: string; probe: string }
  readonly #maxAgeMs: number
  readonly #now: () => number
  #busy: Promise<void> = Promise.resolve()

  constructor({ dir, server, token, maxAgeMs = 24 * 3600_000, now = Date.now }: HeldOptions) {
    this.#path = join(dir, 'held.jsonl')
    this.#head = { server, probe: createHash('sha256').update(`held ${token}`).digest('hex').slice(0, 16) }
    this.#maxAgeMs = maxAgeMs
    this.#now = now
  }

  /** What was saved last; nothing when it is too old, another's, or cannot be read. */
  async load(): Promise<Held[]> {
    const text = await readFile(this.#path, 'utf8').catch(() => '')
    const [first, ...lines] = text.split('\n')
    const head = parse(first) as { server?: string; probe?: string; saved_at?: number } | undefined
    if (head?.server !== this.#head.server || head.probe !== this.#head.probe) return []
    if (typeof head.saved_at !== 'number' || this.#now() - head.saved_at > this.#maxAgeMs) return []
    return lines.map(parse).filter(isHeld)
  }

  /** Replaces what was saved: the old file is whole until the new one is. @throws what the disk says */
  save(held: Iterable<Held>): Promise<void> {
    return this.#inTurn(async () => {
      const path = `${this.#path}.new`
      const file = await open(path, 'w', 0o600)
      try {
        let lines = [JSON.stringify({ ...this.#head, saved_at: this.#now() })]
        for (const one of held) {
          lines.push(JSON.stringify(one))
          if (lines.length < linesAtOnce) continue
          await file.appendFile(`${lines.join('\n')}\n`)
          lines = []
        }
        await file.appendFile(`${lines.join('\n')}\n`)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(path, this.#path)
    })
  }

  /** The server will have none of this probe: nothing of what it was told is kept. */
  forget(): Promise<void> {
    return this.#inTurn(() => unlink(this.#path).catch(() => undefined))
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#busy.then(work)
    this.#busy = done.catch(() => undefined)
    return done
  }
}

function parse(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '')
  } catch {
    return undefined
  }
}

function isHeld(value: unknown): value is Held {
  const { check, dueAt } = (value ?? {}) as Partial<Held>
  const { monitor_id, type, target, interval, timeout } = (check ?? {}) as Partial<HeldCheck>
  return (
    Number.isInteger(monitor_id) &&
    typeof type === 'string' &&
    typeof target === 'string' &&
    [dueAt, interval, timeout].every(Number.isFinite)
  )
}
