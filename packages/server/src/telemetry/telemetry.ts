import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Context } from '../context.ts'
import { Folder } from './fold.ts'
import type { Answer, FromWriter, Sent, ThreadData, ToWriter } from './protocol.ts'
import { Questions } from './questions.ts'

/** Bytes of bodies that wait for their answers at most; beyond it is 503, before memory grows. */
const mostWaiting = 67_108_864
/** Of a thread's own values: far more than the largest body becomes. */
const heapMb = 384
/** What was parsed is held until it is kept, and should not be old by then. */
const youngMb = 64
const lookAtDiskMs = 1000
const tellAnsweredMs = 200

interface Waiting {
  bytes: number
  resolve(answer: Answer): void
}

type Given = Pick<Context, 'config' | 'db' | 'log' | 'now' | 'eventCommitted'>

/** What takes telemetry: hands bodies to a thread, and answers once they are kept. */
export class Telemetry {
  readonly questions: Questions
  private readonly context: Given
  private readonly folder: Folder
  private writer: Worker | undefined
  private opened: Promise<void> | undefined
  private readonly waiting = new Map<number, Waiting>()
  private leaving: Sent[] = []
  private nextId = 0
  /** Of bodies that wait, and of those that are still coming in. */
  private bytes = 0
  private arriving = 0
  private closing = false
  private freeBytes = Number.POSITIVE_INFINITY
  private wasFull = false
  private readonly disk: NodeJS.Timeout
  private answered: number[] = []
  private readonly telling: NodeJS.Timeout

  constructor(context: Given) {
    this.context = context
    this.folder = new Folder(context)
    this.questions = new Questions(() => startThread(this.threadData('reader')), context.log)
    this.disk = setInterval(() => this.lookAtDisk(), lookAtDiskMs)
    this.telling = setInterval(() => this.tellAnswered(), tellAnsweredMs)
  }

  async open(): Promise<void> {
    await this.lookAtDisk()
    await this.start()
  }

  /** A place for a body that begins to arrive; undefined where there is none now. */
  begin(): { grow(bytes: number): boolean; end(): void } | undefined {
    if (this.bytes >= mostWaiting || this.closing || this.writer === undefined) return undefined
    let held = 0
    this.arriving++
    return {
      grow: bytes => {
        held += bytes
        this.bytes += bytes
        return this.bytes <= mostWaiting
      },
      end: () => {
        this.bytes -= held
        this.arriving--
        held = 0
      },
    }
  }

  /** Why nothing is taken now. */
  refusal(): string | undefined {
    if (this.freeBytes < this.context.config.telemetry.freeMb * 1_048_576) {
      return 'The disk is nearly full: no telemetry is taken until there is room'
    }
    return undefined
  }

  /** Whether the disk has too little room left for telemetry. */
  get isFull(): boolean {
    return this.refusal() !== undefined
  }

  get waitingBytes(): number {
    return this.bytes
  }

  /** Resolves once it is kept, or refused. The body is given away. */
  send(sent: Omit<Sent, 'id' | 'at'>): { answer: Promise<Answer>; arrived(has: boolean): void } {
    const id = ++this.nextId
    const { writer } = this
    if (writer === undefined) return { answer: Promise.resolve(unavailable(id)), arrived: () => undefined }
    const bytes = sent.body.length
    this.bytes += bytes
    const answer = new Promise<Answer>(resolve => {
      this.waiting.set(id, { bytes, resolve })
    })
    // What arrives in the same turn goes in one message.
    if (this.leaving.push({ ...sent, id, at: Date.now() }) === 1) setImmediate(() => this.hand())
    return { answer, arrived: has => (has ? this.answered.push(id) : this.say({ lost: [id] })) }
  }

  /** Resolves once everything that was acknowledged is counted. */
  settle(): Promise<void> {
    return this.folder.settle()
  }

  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.disk)
    clearInterval(this.telling)
    this.tellAnswered()
    await this.questions.close()
    const { writer } = this
    if (writer !== undefined) {
      const ended = new Promise<void>(resolve => writer.once('exit', () => resolve()))
      this.say({ close: true })
      await ended
    }
    await this.folder.settle()
  }

  /** Gives bodies to the thread. */
  private hand(): void {
    const send = this.leaving.splice(0)
    if (send.length === 0) return
    const message: ToWriter = { send, more: this.arriving > 0 }
    const bodies = send.map(({ body }) => body.buffer as ArrayBuffer)
    this.writer?.postMessage(message, bodies)
  }

  private say(message: ToWriter): void {
    this.hand()
    this.writer?.postMessage(message)
  }

  private tellAnswered(): void {
    if (this.answered.length > 0) this.say({ answered: this.answered.splice(0) })
  }

  private start(): Promise<void> {
    this.opened = new Promise((resolve, reject) => {
      const writer = startThread(this.threadData('writer'))
      writer.on('message', (message: FromWriter) => this.hear(message, writer, resolve))
      writer.once('error', error => {
        this.context.log.error({ err: error }, 'the thread that keeps telemetry has failed')
        reject(error)
      })
      writer.once('exit', () => this.ended())
    })
    return this.opened
  }

  private threadData(role: ThreadData['role']): ThreadData {
    const { dataDir, databaseUrl, telemetry } = this.context.config
    return { role, dataDir, databaseUrl, ...telemetry }
  }

  private hear(message: FromWriter, writer: Worker, ready: () => void): void {
    if ('ready' in message) {
      this.writer = writer
      this.folder.add(message.counted)
      ready()
    } else if ('answers' in message) {
      this.folder.add(message.counted)
      for (const answer of message.answers) this.answer(answer)
    } else if ('event' in message) this.context.eventCommitted()
    else if ('trouble' in message) this.context.log.error({ trouble: message.trouble }, 'telemetry could not be kept')
  }

  private answer(answer: Answer): void {
    const waiting = this.waiting.get(answer.id)
    if (waiting === undefined) return
    this.waiting.delete(answer.id)
    this.bytes -= waiting.bytes
    waiting.resolve(answer)
  }

  /** What it had not answered may or may not be kept: whoever sends it again is known to the next. */
  private ended(): void {
    this.writer = undefined
    this.leaving = []
    for (const id of this.waiting.keys()) this.answer(unavailable(id))
    if (this.closing) return
    setTimeout(() => {
      if (!this.closing) this.start().catch(() => undefined)
    }, 500)
  }

  private async lookAtDisk(): Promise<void> {
    const { dataDir, databaseUrl } = this.context.config
    if (databaseUrl !== undefined || !existsSync(dataDir)) return
    const { bavail, bsize } = await statfs(dataDir)
    this.freeBytes = bavail * bsize
    const { isFull } = this
    if (isFull !== this.wasFull) {
      if (isFull)
        this.context.log.error({ free_bytes: this.freeBytes }, 'the disk is nearly full: telemetry is refused')
      else this.context.log.info({ free_bytes: this.freeBytes }, 'telemetry is taken again')
    }
    this.wasFull = isFull
  }
}

const unavailable = (id: number): Answer => ({ id, status: 503, rejected: 0, reason: 'Not now; try again' })

/** From the sources a file beside this one, in what is shipped a file of its own. */
function startThread(data: ThreadData): Worker {
  const name = import.meta.url.endsWith('.ts') ? './thread.ts' : './telemetry-thread.js'
  const path = fileURLToPath(new URL(name, import.meta.url))
  return new Worker(path, {
    // At most 15 characters of it are seen from outside.
    name: `telemetry ${data.role === 'writer' ? 'in' : 'out'}`,
    workerData: data,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngMb },
  })
}
