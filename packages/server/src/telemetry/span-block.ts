import type { Origin } from '../ingest/rows.ts'
import { type Block, kinds, Origins, packText, Services, unpack } from './block.ts'
import { addAttributes, Bloom } from './bloom.ts'
import { linesOf, type SpanPart } from './prepared-spans.ts'
import { type ReadHead, SpanHead } from './span-head.ts'
import { readLine, type StoredSpan, statusBits } from './span-line.ts'

/** Puts spans of one app into a block. */
export function packSpans(parts: readonly SpanPart[]): Block {
  const items = parts.reduce((sum, { from, to }) => sum + to - from, 0)
  const origins = new Origins()
  const services = new Services()
  const bloom = Bloom.of(items)
  const head = new SpanHead(items)
  let at = 0
  for (const { prepared, from, to } of parts) {
    for (let place = from; place < to; place++) {
      const startMs = prepared.startMs[place] as number
      const mark = prepared.marks[place] as number
      const origin = prepared.origins[place] as Origin
      const service = services.count(origin.resource.service, (mark & statusBits) === 2, startMs)
      head.set(at++, prepared, place, origins.placeOf(origin), service)
    }
    const first = from === 0 ? 0 : (prepared.hashEnds[from - 1] as number)
    const last = prepared.hashEnds[to - 1] as number
    for (let hash = first; hash < last; hash++) bloom.add(prepared.hashes[hash] as number)
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

/** Reads some spans of a block, by their places. */
export function readSpans(head: ReadHead, body: Uint8Array, places: Iterable<number>): StoredSpan[] {
  const lines = unpack(body).toString('utf8').split('\n')
  const origins: Origin[] = JSON.parse(lines[0] as string)
  const spans: StoredSpan[] = []
  for (const at of places) spans.push(readLine(lines[at + 1] as string, origins[head.origin[at] as number] as Origin))
  return spans
}
