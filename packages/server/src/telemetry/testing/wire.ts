/** The wire format of protobuf, written field by field, right or wrong as a test wants it. */
type Bytes = number[]

export function varint(value: bigint | number): Bytes {
  const bytes: Bytes = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return [...bytes, Number(rest)]
}

export const number = (field: number, value: bigint | number): Bytes => [...varint(field << 3), ...varint(value)]

export const sized = (field: number, bytes: Bytes | string | Buffer): Bytes => {
  const content = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return [...varint((field << 3) | 2), ...varint(content.length), ...content]
}

export function fixed64(field: number, value: bigint): Bytes {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
  return [...varint((field << 3) | 1), ...bytes]
}

export function double(field: number, value: number): Bytes {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return [...varint((field << 3) | 1), ...bytes]
}

export function fixed32(field: number, value: number): Bytes {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return [...varint((field << 3) | 5), ...bytes]
}

export const attribute = (field: number, key: string, value: Bytes): Bytes =>
  sized(field, [...sized(1, key), ...sized(2, value)])

/** Attributes as they mostly are, and otherwise. */
export const attributes = (field: number): Bytes[] => [
  attribute(field, 'http.route', sized(1, '/cart/{id}')),
  attribute(field, 'ok', number(2, 1)),
  attribute(field, 'no', number(2, 0)),
  attribute(field, 'status', number(3, 200)),
  attribute(field, 'share', double(4, 0.25)),
  attribute(field, 'long', sized(1, 'x'.repeat(70))),
  attribute(field, 'k'.repeat(60), sized(1, '')),
]
export const oddAttributes = (field: number): Bytes[] => [
  attribute(field, '', sized(1, '')),
  attribute(field, 'grün', sized(1, 'ä "quoted" \\ \t')),
  attribute(field, 'broken', sized(1, Buffer.from([0x61, 0xff, 0xc3]))),
  attribute(field, 'negative', number(3, -5n)),
  attribute(field, 'largest', number(3, 9_223_372_036_854_775_807n)),
  attribute(field, 'exact', number(3, 2n ** 53n)),
  attribute(field, 'seven', number(3, 2n ** 49n - 1n)),
  attribute(field, 'nan', double(4, Number.NaN)),
  attribute(field, 'zero', double(4, -0)),
  attribute(field, 'large', double(4, 1e300)),
  attribute(field, 'tiny', double(4, -5e-324)),
  attribute(field, 'nothing', []),
  attribute(field, 'list', sized(5, sized(1, number(3, 1)))),
  attribute(field, 'map', sized(6, attribute(1, 'a', sized(1, 'b')))),
  attribute(field, 'bytes', sized(7, 'abc')),
  attribute(field, 'both', [...sized(1, 'a'), ...number(3, 1)]),
  attribute(field, 'unknown', number(99, 1)),
  sized(field, [...sized(2, sized(1, 'first')), ...sized(1, 'then')]),
  sized(field, [...sized(1, 'alone')]),
  sized(field, []),
  sized(field, [...sized(1, 'k'), ...sized(2, sized(1, 'v')), ...number(9, 1)]),
]

/** An export request of some items. */
export function request(items: Bytes[], service: string): Buffer {
  const resource = sized(1, attribute(1, 'service.name', sized(1, service)))
  const scope = sized(1, [...sized(1, 'lib'), ...sized(2, '1')])
  return Buffer.from(sized(1, [...resource, ...sized(2, [...scope, ...items.flatMap(item => sized(2, item))])]))
}

/** Cut off somewhere, or with another byte in some places. */
export function damagedBytes(bytes: Buffer, next: (below: number) => number): Buffer {
  if (next(4) === 0) return bytes.subarray(0, next(bytes.length))
  const changed = Buffer.from(bytes)
  for (let change = next(3); change >= 0; change--) changed[next(bytes.length)] = next(256)
  return changed
}
