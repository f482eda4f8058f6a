import type { IncomingMessage } from 'node:http'
import { errorFromResponse, textOf } from '@watchpost/contract'
import { pause } from '../pause.ts'
import type { Session } from '../session.ts'
import { isPassing } from '../watch/poll.ts'

/** One server-sent event. */
export interface Told {
  event: string
  data: unknown
}

export interface Listener {
  /** Connected, for the first time or again: what was missed is told next. */
  opened(): void
  told(told: Told): void
  trouble(error: Error): void
}

/** Follows what happens in the team until told to stop; trouble that waiting does not mend is thrown. */
export async function follow(session: Session, listener: Listener, signal: AbortSignal): Promise<void> {
  let lastId: string | undefined
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
      const answer = await session.stream('/v1/events', headers, signal)
      await refuseUnlessOpen(answer)
      attempt = 0
      listener.opened()
      for await (const { id, ...told } of eventsOf(answer)) {
        lastId = id ?? lastId
        listener.told(told)
      }
      throw new TypeError('fetch failed', { cause: new Error('the server ended the stream') })
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error) && !(error instanceof TypeError)) throw error
      const { cause } = error as { cause?: Error }
      listener.trouble(cause instanceof Error ? cause : (error as Error))
    }
    await pause(Math.min(15_000, 500 * 2 ** attempt), signal).catch(() => undefined)
  }
}

/** Throws what an answer that is no stream says. */
export async function refuseUnlessOpen(answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 0
  if (status === 200) return
  const text = await textOf(answer)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    // A proxy's page: the status must do.
  }
  throw errorFromResponse(status, body)
}

/** Events of a stream, as they come. */
export async function* eventsOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Told & { id?: string }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const parts = text.split(/\r?\n\r?\n/)
    text = parts.pop() ?? ''
    for (const part of parts) {
      const told = readEvent(part)
      if (told !== undefined) yield told
    }
  }
}

function readEvent(part: string): (Told & { id?: string }) | undefined {
  const fields: Record<string, string> = {}
  for (const line of part.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
    if (name !== '') fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`
  }
  const { event, data, id } = fields
  if (event === undefined || data === undefined) return undefined
  try {
    return { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) }
  } catch {
    return undefined
  }
}
