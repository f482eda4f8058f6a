import type { Worker } from 'node:worker_threads'
import { ApiError } from '@watchpost/contract'
import { UnavailableError } from '@watchpost/store'
import type { Logger } from 'pino'
import { Turns } from '../domain/turns.ts'
import type { Asked, FromReader, Questioned } from './ask.ts'

/** Questions that wait for their answers at most: of all teams, and of one. */
const mostWaiting = 64
const mostOfTeam = 8

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
  over(): void
}

/** Asks the thread that reads, which is started with the first question. */
export class Questions {
  private readonly start: () => Worker
  private readonly log: Logger
  private thread: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private readonly turns = new Turns(mostWaiting, mostOfTeam)
  private nextId = 0

  constructor(start: () => Worker, log: Logger) {
    this.start = start
    this.log = log
  }

  ask<N extends keyof Questioned>(team_id: number, name: N, params: Asked<N>): Promise<Questioned[N]['answer']> {
    this.thread ??= this.open()
    const over = this.turns.take(team_id)
    if (over === undefined) throw new ApiError('unavailable', 'Too many questions at once', { retryAfter: 1 })
    const id = ++this.nextId
    const answer = new Promise<Questioned[N]['answer']>((resolve, reject) =>
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, over }),
    )
    this.thread.postMessage({ id, name, params })
    return answer
  }

  async close(): Promise<void> {
    await this.thread?.terminate()
  }

  private open(): Worker {
    const thread = this.start()
    thread.on('message', ({ id, value, error }: FromReader) => {
      const waiting = this.waiting.get(id)
      this.waiting.delete(id)
      waiting?.over()
      if (error === undefined) waiting?.resolve(value)
      else waiting?.reject(error.why ? new UnavailableError(error.why, error.message, error) : new Error(error.message))
    })
    thread.once('error', error => this.log.error({ err: error }, 'the thread that reads telemetry has failed'))
    thread.once('exit', () => {
      this.thread = undefined
      for (const { reject, over } of this.waiting.values()) {
        over()
        reject(new ApiError('unavailable', 'Not now', { retryAfter: 1 }))
      }
      this.waiting.clear()
    })
    return thread
  }
}
