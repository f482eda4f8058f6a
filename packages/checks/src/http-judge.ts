import { Worker } from 'node:worker_threads'
import type { Deadline } from './deadline.ts'
import { type Answer, type Flaw, judgeAnswer, mayTakeLong } from './http-assertions.ts'
import type { HttpOptions } from './http-options.ts'

/** What judging one answer may compute: of its thread's own time, so that a busy machine is not the pattern's fault. */
const maxMilliseconds = 1000
/** A check whose time ends while it is judged is its pattern's fault if so much was computed; else it came late. */
const blamedMilliseconds = 250
/** How often the thread's time is looked at. */
const lookMilliseconds = 100
/** JSON of this size takes a few milliseconds to read. */
const smallBytes = 256 * 1024

interface Job {
  answer: Answer
  options: HttpOptions
  resolve: (flaw: Flaw | null) => void
}

/**
 * Judges an answer; what may take long is judged in a thread of its own, so that no pattern holds up the other checks,
 * and is ended when it takes too long.
 */
export function judgeInTime(
  answer: Answer,
  options: HttpOptions,
  signal: Deadline,
): Flaw | null | Promise<Flaw | null> {
  const isLarge = answer.bytes > smallBytes && options.json !== undefined
  return isLarge || mayTakeLong(options) ? thread.judge(answer, options, signal) : judgeAnswer(answer, options)
}

/** One thread, started when it is first needed, which has one answer at a time. */
class JudgeThread {
  readonly #waiting: Job[] = []
  #worker: Worker | undefined
  #isReady = false
  #running: Job | undefined
  /** What was computed for the running job so far, milliseconds. */
  #computed = 0
  #timer: NodeJS.Timeout | undefined

  judge(answer: Answer, options: HttpOptions, signal: Deadline): Promise<Flaw | null> {
    const { promise, resolve } = Promise.withResolvers<Flaw | null>()
    const job = { answer, options, resolve }
    this.#waiting.push(job)
    signal.addEventListener('abort', () => this.#giveUp(job))
    this.#next()
    return promise
  }

  #next(): void {
    if (this.#running || this.#waiting.length === 0) return
    this.#worker ??= this.#start()
    if (!this.#isReady) return
    this.#running = this.#waiting.shift() as Job
    const { answer, options } = this.#running
    this.#computed = 0
    const computed = stopwatch(this.#worker)
    this.#worker.postMessage({ answer, options })
    this.#timer = setInterval(() => this.#look(this.#running, computed), lookMilliseconds)
  }

  #look(job: Job | undefined, computed: () => Promise<number>): void {
    const take = (milliseconds: number) => {
      if (job === undefined || job !== this.#running) return
      this.#computed = milliseconds
      if (milliseconds >= maxMilliseconds) this.#restart(tooLong)
    }
    // A thread that ends meanwhile is told of by its own events.
    computed().then(take, () => undefined)
  }

  #done(flaw: Flaw | null): void {
    clearInterval(this.#timer)
    this.#running?.resolve(flaw)
    this.#running = undefined
    this.#next()
  }

  /** The time of a check is over: its pattern took it, or the answers that were judged before it did. */
  #giveUp(job: Job): void {
    if (job === this.#running) {
      this.#restart(this.#computed >= blamedMilliseconds ? tooLong : tooLate)
      return
    }
    const position = this.#waiting.indexOf(job)
    if (position === -1) return
    this.#waiting.splice(position, 1)
    job.resolve(tooLate)
  }

  #restart(flaw: Flaw): void {
    const old = this.#worker
    this.#worker = undefined
    this.#isReady = false
    void old?.terminate()
    this.#done(flaw)
  }

  #start(): Worker {
    // Beside this file, whether it is a source or was built.
    const name = import.meta.url.endsWith('.ts') ? './http-worker.ts' : './http-worker.js'
    const worker = new Worker(new URL(name, import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 128 } })
    const isCurrent = () => worker === this.#worker
    // Whoever waits for a check waits for its deadline too: this thread keeps no process alive.
    worker.unref()
    worker.on('online', () => {
      if (!isCurrent()) return
      this.#isReady = true
      this.#next()
    })
    worker.on('message', (flaw: Flaw | null) => {
      if (isCurrent()) this.#done(flaw)
    })
    worker.on('error', error => {
      if (!isCurrent()) return
      // A thread that cannot even start would not the next time, either.
      if (!this.#running) for (const job of this.#waiting.splice(0)) job.resolve(flawOf(error))
      this.#restart(flawOf(error))
    })
    return worker
  }
}

const thread = new JudgeThread()

/** Milliseconds that a thread computes from now on; by the clock where Node (before 24.6) does not tell. */
function stopwatch(worker: Worker): () => Promise<number> {
  if (typeof worker.cpuUsage !== 'function') {
    const started = performance.now()
    return async () => performance.now() - started
  }
  const before = worker.cpuUsage()
  before.catch(() => undefined)
  return async () => {
    const { user, system } = await worker.cpuUsage(await before)
    return (user + system) / 1000
  }
}

const tooLong: Flaw = {
  kind: 'assertion_failed',
  message: 'The pattern or the JSON path takes too long on this body; simplify it.',
}

const tooLate: Flaw = { kind: 'probe_resources', message: 'The probe had no time left to judge the answer.' }

/** A pattern or a path that needs more memory or stack than there is; all else is a mistake of ours. */
function flawOf(error: unknown): Flaw {
  const { name, code } = error as { name?: string; code?: string }
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'RangeError') {
    return { kind: 'assertion_failed', message: 'The pattern or the JSON path needs too much memory on this body.' }
  }
  return { kind: 'probe_internal', message: `The answer could not be judged (${name}).` }
}
