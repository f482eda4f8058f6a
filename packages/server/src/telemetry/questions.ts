import type { Worker } from 'node:worker_threads'
import { ApiError } from '@watchpost/contract'
import type { Logger } from 'pino'
import type { Asked, FromReader, Questioned } from './ask.ts'

/** Questions that wait for their answers at most. */
const mostWaiting = 64

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Asks the thread that reads, which is started with the first question. */
export class Questions {
  private readonly start: () => Worker
  private readonly log: Logger
  private thread: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private nextId = 0

  constructor(start: () => Worker, log: Logger) {
    this.start = start
    this.log = log
  }

  ask<N extends keyof Questioned>(name: N, params: Asked<N>): Promise<Questioned[N]['answer']> {
    if (this.waiting.size >= mostWaiting) {
      throw new ApiError('unavailable', 'Too many questions at once', { retryAfter: 1 })
    }
    const id = ++this.nextId
    this.thread ??= this.open()
    this.thread.postMessage({ id, name, params })
    return new Promise((resolve, reject) =>
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject }),
    )
  }

  async close(): Promise<void> {
    await this.thread?.terminate()
  }

  private open(): Worker {
    const thread = this.start()
    thread.on('message', ({ id, value, error }: FromReader) => {
      const waiting = this.waiting.get(id)
      this.waiting.delete(id)
      if (error === undefined) waiting?.resolve(value)
      else waiting?.reject(new Error(error))
    })
    thread.once('error', error => this.log.error({ err: error }, 'the thread that reads telemetry has failed'))
    thread.once('exit', () => {
      this.thread = undefined
      for (const { reject } of this.waiting.values()) reject(new ApiError('unavailable', 'Not now', { retryAfter: 1 }))
      this.waiting.clear()
    })
    return thread
  }
}
