/** The transaction verbs of one connection; everything is synchronous. */
export interface Transactions {
  begin(): void
  commit(): void
  /** Undoes everything since `begin`; nothing to do when the engine has rolled back by itself. */
  rollback(): void
  readonly open: boolean
}

interface Job {
  run(): unknown
  resolve(value: unknown): void
  reject(error: unknown): void
  result?: unknown
}

// One fsync is shared by everybody who is waiting, but a batch must not hold up the event loop for long.
const largestBatch = 1000
const longestBatchMs = 20

/**
 * Runs writers that arrive in the same turn in one transaction, so that they share one fsync, and answers each
 * after it. A writer's failure is its own: the others are written, nothing of the failed one is.
 */
export class GroupCommit {
  readonly #transactions: Transactions
  #waiting: Job[] = []
  #scheduled = false
  #closed = false

  constructor(transactions: Transactions) {
    this.#transactions = transactions
  }

  /** `run` may run twice, with everything the first did undone. */
  add<T>(run: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'))
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(this.#turn)
    })
  }

  /** Writes what is waiting and refuses what comes later. */
  close(): void {
    this.#closed = true
    while (this.#waiting.length > 0) this.#writeBatch()
  }

  readonly #turn = (): void => {
    this.#writeBatch()
    this.#scheduled = this.#waiting.length > 0
    if (this.#scheduled) setImmediate(this.#turn)
  }

  #writeBatch(): void {
    let jobs = this.#waiting.splice(0, largestBatch)
    // Nobody expects to fail, so nobody pays for a savepoint: when one does, all is undone and done again without it.
    while (jobs.length > 0) {
      const attempt = this.#attempt(jobs)
      if (attempt.failed) {
        attempt.failed.job.reject(attempt.failed.error)
        jobs = jobs.filter(job => job !== attempt.failed?.job)
      }
    }
  }
}
