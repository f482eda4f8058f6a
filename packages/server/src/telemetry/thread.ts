import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openDb, UnavailableError } from '@watchpost/store'
import { Archive } from './archive.ts'
import { answers, type FromReader, type ToReader } from './ask.ts'
import { FileKeeper } from './file-keeper.ts'
import { Housekeeping } from './housekeeping.ts'
import { Intake } from './intake.ts'
import type { Keeper } from './keeper.ts'
import { MetricKeeper } from './metric-keeper.ts'
import type { Answer, Counted, FromWriter, ThreadData, ToWriter } from './protocol.ts'
import { TableKeeper } from './table-keeper.ts'
import { TidyHeap } from './tidy-heap.ts'

/** The thread that reads and keeps telemetry, so that the one that answers everybody else never waits for it. */
async function write(port: MessagePort, given: ThreadData): Promise<void> {
  const { dataDir, databaseUrl, largestBody, days } = given
  const say = (message: FromWriter) => port.postMessage(message)
  const trouble = (error: unknown) => say({ trouble: (error as Error).stack ?? String(error) })
  const keeper = await openKeeper(given, () => say({ event: true }), trouble)
  const tell = (answers: Answer[], counted: Counted[]) => say({ answers, counted })
  const intake = new Intake(keeper, largestBody, tell, trouble)
  // Points that are of very many series take seconds; nothing else waits for them.
  const points = new Intake(keeper, largestBody, tell, trouble, 'one at a time')
  const counted = await keeper.open()

  const heap = new TidyHeap()
  const hear = (message: ToWriter, last: boolean) => {
    if ('send' in message) {
      heap.busy()
      for (const sent of message.send) {
        const lane = sent.signal === 'metrics' ? points : intake
        lane.take(sent, message.more || !last || sent !== message.send.at(-1))
      }
    } else if ('answered' in message) keeper.answered(message.answered).catch(trouble)
    else if ('lost' in message) keeper.lost(message.lost).catch(trouble)
    else if ('close' in message) close().catch(trouble)
  }
  const housekeeping = new Housekeeping(await Archive.open(dataDir, databaseUrl), days, Date.now, trouble)
  housekeeping.start()
  const close = async () => {
    heap.stop()
    await Promise.all([intake.settle(), points.settle()])
    await housekeeping.stop()
    await keeper.close()
    say({ closed: true })
    port.close()
  }
  port.on('message', (first: ToWriter) => {
    let message = first
    for (;;) {
      const next = receiveMessageOnPort(port) as { message: ToWriter } | undefined
      hear(message, next === undefined)
      if (next === undefined) return
      message = next.message
    }
  })
  say({ ready: true, counted })
}

async function openKeeper(
  { dataDir, databaseUrl, newSeriesHour }: ThreadData,
  eventCommitted: () => void,
  trouble: (error: unknown) => void,
): Promise<Keeper> {
  if (databaseUrl === undefined) return FileKeeper.at(dataDir, Date.now, trouble, newSeriesHour)
  const open = () => openDb({ dataDir, databaseUrl, exclusiveOwner: false })
  return new TableKeeper(await open(), new MetricKeeper(await open(), newSeriesHour), Date.now, eventCommitted)
}

/** The thread that answers questions about what was kept. */
async function read(port: MessagePort, { dataDir, databaseUrl }: ThreadData): Promise<void> {
  const archive = await Archive.open(dataDir, databaseUrl)
  const heap = new TidyHeap()
  port.on('message', async ({ id, name, params }: ToReader) => {
    heap.busy()
    try {
      const value = await answers[name](archive, params as never)
      port.postMessage({ id, value } satisfies FromReader, bytesOf(value))
    } catch (error) {
      const why = error instanceof UnavailableError ? error.why : undefined
      const { message, stack } = error as Error
      port.postMessage({ id, error: { message: why ? message : (stack ?? message), why } } satisfies FromReader)
    }
  })
}

/** What is given away with an answer, not copied. */
function bytesOf(value: unknown): ArrayBuffer[] {
  const { body } = (value ?? {}) as { body?: unknown }
  return body instanceof Uint8Array ? [body.buffer as ArrayBuffer] : []
}

if (parentPort !== null) {
  const data = workerData as ThreadData
  await (data.role === 'writer' ? write(parentPort, data) : read(parentPort, data))
}
