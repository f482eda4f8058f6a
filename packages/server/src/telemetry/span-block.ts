import type { Origin } from '../ingest/rows.ts'
import { type Block, kinds, Origins, packText, Services } from './block.ts'
import { addAttributes, Bloom } from './bloom.ts'
import { addPart, itemsOf, linesOf } from './prepared.ts'
import type { SpanPart } from './prepared-spans.ts'
import { type ReadHead, SpanHead } from './span-head.ts'
import { readLine, type StoredSpan, statusBits } from './span-line.ts'

const newline = 10

/** Puts spans of one app into a block. */
export function packSpans(parts: readonly SpanPart[]): Block {
  const items = itemsOf(parts)
  const origins = new Origins()
  const services = new Services()
  const bloom = Bloom.of(items)
  const head = new SpanHead(items)
  let at = 0
  // Many come one after the other from the same.
  let origin: Origin | undefined
  let sender = 0
  let service = 0
  for (const part of parts) {
    const { prepared, from, to } = part
    for (let place = from; place < to; place++) {
      const startMs = prepared.startMs[place] as number
      const mark = prepared.marks[place] as number
      if (prepared.origins[place] !== origin) {
        origin = prepared.origins[place] as Origin
        sender = origins.placeOf(origin)
        service = services.placeOf(origin.resource.service)
      }
      services.count(service, (mark & statusBits) === 2, startMs)
      head.set(at++, prepared, place, sender, service)
    }
    addPart(bloom, part)
  }
  for (const { resource } of origins.all) addAttributes(bloom, resource.attributes)
  return {
    kind: kinds.spans,
    items,
    first_at: Math.floor(head.first),
    last_at: Math.ceil(head.last),
    services: services.toString(),
    head: head.pack(services.names),
    bloom: bloom.bytes,
    body: packText(origins, parts.map(linesOf)),
  }
}

/** The spans of a block, each read when it is asked for. */
export class SpanLines {
  private readonly head: ReadHead
  private readonly bytes: Buffer
  readonly origins: Origin[]
  /** Where the line of each span begins; the last is the end. */
  private readonly begins: Uint32Array

  /** @param body unpacked */
  constructor(head: ReadHead, body: Buffer) {
    this.head = head
    this.bytes = body
    const first = this.bytes.indexOf(newline)
    this.origins = JSON.parse(this.bytes.toString('utf8', 0, first))
    this.begins = new Uint32Array(head.items + 1)
    this.begins[0] = first + 1
    for (let at = 0; at < head.items; at++) {
      this.begins[at + 1] = this.bytes.indexOf(newline, this.begins[at] as number) + 1
    }
  }

  read(at: number): StoredSpan {
    const line = this.bytes.toString('utf8', this.begins[at], (this.begins[at + 1] as number) - 1)
    return readLine(line, this.origins[this.head.origin[at] as number] as Origin)
  }

  /** With its end, as it lies there. */
  line(at: number): Buffer {
    return this.bytes.subarray(this.begins[at], this.begins[at + 1])
  }

  /** Marks spans whose lines have some text: a search of bytes costs a hundredth of reading them. */
  mark(text: string, marks: Uint8Array): void {
    let line = 0
    for (let found = this.bytes.indexOf(text, this.begins[0]); found >= 0; ) {
      while ((this.begins[line + 1] as number) <= found) line++
      marks[line] = 1
      found = this.bytes.indexOf(text, this.begins[line + 1])
    }
  }
}
