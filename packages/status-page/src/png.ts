import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** A picture as PNG. @param pixels a byte each, row by row: which colour of the palette @param palette #rrggbb */
export function encodePng(pixels: Uint8Array, width: number, palette: readonly string[]): Buffer {
  const height = pixels.length / width
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 3], 8)
  // Each row begins with its filter: none.
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  const colours = Buffer.from(palette.map(colour => colour.slice(1)).join(''), 'hex')
  const parts = [part('IHDR', head), part('PLTE', colours), part('IDAT', deflateSync(rows)), part('IEND')]
  return Buffer.concat([signature, ...parts])
}

function part(name: string, data = Buffer.alloc(0)): Buffer {
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(data, crc32(name)), 4)
  return Buffer.concat([ends.subarray(0, 4), Buffer.from(name, 'latin1'), data, ends.subarray(4)])
}
