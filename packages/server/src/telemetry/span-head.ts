import { pack, unpack } from './block.ts'
import type { PreparedSpans } from './prepared-spans.ts'
import { rootBit, statusBits } from './span-line.ts'

/** Of a name as lists show it, and as it can be asked for; the line of the span has all of it. */
const longestName = 1000

/**
 * What lists need of each span of a block, a column each: so a list opens heads, a fraction of the bytes, and a body only for
 * what it cannot decide by them.
 */
export class SpanHead {
  first = Number.POSITIVE_INFINITY
  last = 0
  private readonly startMs: Float64Array
  private readonly durationMs: Float32Array
  private readonly trace: Uint16Array
  private readonly service: Uint16Array
  private readonly origin: Uint16Array
  private readonly name: Uint16Array
  private readonly marks: Uint8Array
  private readonly traces = new Map<string, number>()
  private readonly names = new Map<string, number>()

  constructor(items: number) {
    this.startMs = new Float64Array(items)
    this.durationMs = new Float32Array(items)
    this.trace = new Uint16Array(items)
    this.service = new Uint16Array(items)
    this.origin = new Uint16Array(items)
    this.name = new Uint16Array(items)
    this.marks = new Uint8Array(items)
  }

  /** @param place of the span among those that came with it */
  set(at: number, prepared: PreparedSpans, place: number, origin: number, service: number): void {
    const startMs = prepared.startMs[place] as number
    if (startMs < this.first) this.first = startMs
    if (startMs > this.last) this.last = startMs
    this.startMs[at] = startMs
    this.durationMs[at] = prepared.durationMs[place] as number
    this.service[at] = service
    this.origin[at] = origin
    this.marks[at] = prepared.marks[place] as number
    this.trace[at] = placeOf(this.traces, prepared.traceIds[place] as string)
    const name = prepared.names[place] as string
    this.name[at] = placeOf(this.names, name.length > longestName ? `${name.slice(0, longestName)}…` : name)
  }

  /** Times become whole microseconds, whatever block they are in: lists are gone on with while blocks are put together. */
  pack(services: string[]): Buffer {
    const texts = Buffer.from(JSON.stringify({ services, names: [...this.names.keys()] }))
    const traces = Buffer.from([...this.traces.keys()].join(''), 'hex')
    const items = this.startMs.length
    const first = Number.isFinite(this.first) ? microseconds(this.first) : 0
    // Beyond 71 minutes four bytes do not do.
    const isShort = microseconds(this.last) - first <= 0xffff_ffff
    const starts = isShort ? new Uint32Array(items) : new Float64Array(items)
    for (let at = 0; at < items; at++) starts[at] = microseconds(this.startMs[at] as number) - first
    const sizes = new Uint32Array([items, this.traces.size, texts.length])
    const scale = new Float64Array([first / 1000, isShort ? microsecond : 0])
    const columns = [
      scale,
      sizes,
      starts,
      this.durationMs,
      this.trace,
      this.service,
      this.origin,
      this.name,
      this.marks,
    ]
    const parts = columns.map(column => new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
    return pack(Buffer.concat([...parts, traces, texts]))
  }
}

/** In ms; as a unit of times 0 stands for those of eight bytes. */
const microsecond = 0.001
const microseconds = (ms: number): number => Math.round(ms * 1000)

function placeOf(places: Map<string, number>, text: string): number {
  let place = places.get(text)
  if (place === undefined) {
    place = places.size
    places.set(text, place)
  }
  return place
}

/** A head as it is read. */
export interface ReadHead {
  items: number
  services: string[]
  names: string[]
  /** Each trace of the block once, 32 hex digits. */
  traces: string[]
  trace: Uint16Array
  service: Uint16Array
  origin: Uint16Array
  name: Uint16Array
  durationMs: Float32Array
  startMs(at: number): number
  isError(at: number): boolean
  status(at: number): number
  isRoot(at: number): boolean
  /** Places of the spans of a trace. */
  spansOf(traceId: string): Uint16Array
}

export function readHead(packed: Uint8Array): ReadHead {
  const bytes = unpack(packed)
  // A copy begins where arrays of eight bytes may begin.
  const { buffer } = new Uint8Array(bytes)
  const [first, unit] = new Float64Array(buffer, 0, 2) as unknown as [number, number]
  const [items, traceCount, textBytes] = new Uint32Array(buffer, 16, 3) as unknown as [number, number, number]
  let at = 28
  const isShort = unit > 0
  const [begin, step] = [first * 1000, isShort ? unit * 1000 : 1]
  const column = <T>(Type: new (buffer: ArrayBuffer, offset: number, length: number) => T, width: number): T => {
    const place = at
    at += items * width
    return place % width === 0 ? new Type(buffer, place, items) : new Type(buffer.slice(place), 0, items)
  }
  const starts = isShort ? column(Uint32Array, 4) : column(Float64Array, 8)
  const durationMs = column(Float32Array, 4)
  const trace = column(Uint16Array, 2)
  const service = column(Uint16Array, 2)
  const origin = column(Uint16Array, 2)
  const name = column(Uint16Array, 2)
  const marks = column(Uint8Array, 1)
  const ids = Buffer.from(buffer, at, traceCount * 16).toString('hex')
  const traces = Array.from({ length: traceCount }, (_, index) => ids.slice(index * 32, index * 32 + 32))
  const texts = Buffer.from(buffer, at + traceCount * 16, textBytes).toString('utf8')
  let spans: Map<string, Uint16Array> | undefined
  return {
    items,
    ...(JSON.parse(texts) as { services: string[]; names: string[] }),
    traces,
    trace,
    service,
    origin,
    name,
    durationMs,
    startMs: at => Math.round(begin + (starts[at] as number) * step) / 1000,
    status: at => (marks[at] as number) & statusBits,
    isError: at => ((marks[at] as number) & statusBits) === 2,
    isRoot: at => ((marks[at] as number) & rootBit) !== 0,
    spansOf: traceId => {
      // Many heads are read for their columns alone.
      spans ??= spansByTrace(traces, trace)
      return spans.get(traceId) ?? none
    },
  }
}

const none = new Uint16Array()

/** Places by what stands at them: those of each trace in a stretch of one array. */
function spansByTrace(traces: string[], trace: Uint16Array): Map<string, Uint16Array> {
  const ends = new Uint16Array(traces.length)
  for (const each of trace) ends[each] = (ends[each] as number) + 1
  for (let at = 1; at < ends.length; at++) ends[at] = (ends[at] as number) + (ends[at - 1] as number)
  const begins = ends.slice()
  const places = new Uint16Array(trace.length)
  for (let at = trace.length - 1; at >= 0; at--) {
    const each = trace[at] as number
    const begin = (begins[each] as number) - 1
    begins[each] = begin
    places[begin] = at
  }
  return new Map(traces.map((traceId, each) => [traceId, places.subarray(begins[each], ends[each])]))
}
