/** The head of an answer: what a check looks at of it. */
export interface Head {
  status: number
  version: string
  /** By lowercase name, those of {@link kept} only. */
  headers: ReadonlyMap<string, string>
}

/** How the end of a body is known: its length, its last chunk, or the end of the connection. */
export type Framing = number | 'chunked' | 'close'

const statusLine = /^HTTP\/(1\.[01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/
const headerLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/
const start = 'HTTP/1.'

/** Headers that say something to a check; all others are only held to the rules. */
const kept = new Set(['content-length', 'transfer-encoding', 'content-encoding', 'content-type', 'location'])
/** Headers whose repetition is a list; of the others the first counts. */
const lists = new Set(['content-length', 'transfer-encoding', 'content-encoding'])

/** Whether a status line may begin like this, so that a peer of another protocol is not waited for. */
export const mayBegin = (line: string) => start.startsWith(line.slice(0, start.length))

/** Reads a status line; null when it is none. */
export function readStatusLine(line: string): { status: number; version: string } | null {
  const parts = statusLine.exec(line)
  return parts ? { status: Number(parts[2]), version: parts[1] as string } : null
}

/** Reads a header line into `headers`; false when it is none: folded, without a name, or with control characters. */
export function readHeaderLine(line: string, headers: Map<string, string>): boolean {
  const parts = headerLine.exec(line)
  if (!parts) return false
  const name = (parts[1] as string).toLowerCase()
  if (!kept.has(name)) return true
  const value = (parts[2] as string).trimEnd()
  const before = headers.get(name)
  if (before === undefined) headers.set(name, value)
  else if (lists.has(name)) headers.set(name, `${before}, ${value}`)
  return true
}

/** How long the body is (RFC 9112, 6.3), or a word for what contradicts itself. */
export function framingOf({ status, headers }: Head): Framing | { invalid: string } {
  if (status < 200 || status === 204 || status === 304) return 0
  const coding = headers.get('transfer-encoding')
  const length = headers.get('content-length')
  if (coding !== undefined) {
    if (length !== undefined) return { invalid: 'both Content-Length and Transfer-Encoding' }
    return coding.toLowerCase() === 'chunked' ? 'chunked' : { invalid: 'a Transfer-Encoding that nobody asked for' }
  }
  if (length === undefined) return 'close'
  // Several lengths, even equal ones, are a list by now, which is no number.
  return /^\d{1,15}$/.test(length) ? Number(length) : { invalid: 'no valid Content-Length' }
}

/** Reads the line before a chunk: its size in hexadecimal, extensions ignored; null when it is none. */
export function readChunkSize(line: string): number | null {
  const parts = /^([\da-f]{1,12})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i.exec(line)
  return parts ? Number.parseInt(parts[1] as string, 16) : null
}
