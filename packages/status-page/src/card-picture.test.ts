import { crc32, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { renderCardPicture } from './card-picture.ts'
import { light } from './palette.ts'
import { history, monitor, payload } from './sample.ts'

/** Reads what a PNG of eight bits with a palette holds, and looks that each part is whole. */
function read(png: Buffer) {
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
  const parts = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const named = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named))
    parts.set(named.toString('latin1', 0, 4), named.subarray(4))
    at += length + 12
  }
  expect([...parts.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND'])
  const part = (name: string) => parts.get(name) as Buffer
  const [width, height] = [part('IHDR').readUInt32BE(0), part('IHDR').readUInt32BE(4)]
  const rows = inflateSync(part('IDAT'))
  expect(rows).toHaveLength((width + 1) * height)
  const at = (x: number, y: number) => {
    const ink = (rows[y * (width + 1) + 1 + x] as number) * 3
    return `#${part('PLTE').toString('hex', ink, ink + 3)}`
  }
  return { width, height, at }
}

const days = history(
  Array.from({ length: 90 }, (_, day) => (day === 0 ? null : day === 44 ? 97 : day === 89 ? 12 : 100)),
)

test('the picture of a page shows its colour, its state and its days', () => {
  const png = renderCardPicture(payload({ uptime_history: days, monitors: [monitor({ uptime_history: days })] }))
  const { width, height, at } = read(png)
  expect([width, height]).toEqual([1200, 630])
  expect(png.length).toBeLessThan(10_000)
  expect(at(5, 5)).toBe('#4f46e5')
  expect([at(600, 130), at(590, 272), at(450, 236)]).toEqual([light.up, '#ffffff', '#ffffff'])
  const columns = [64, 64 + 44 * 12, 64 + 89 * 12]
  expect(columns.map(x => at(x, 445))).toEqual(['#ffffff', light.up, light.fall])
  expect(columns.map(x => at(x, 560))).toEqual(['#ffffff', light.dip, light.fall])
  expect(at(64, 495)).toBe(light.blank)
})

test('where one reads from right to left, the days run so', () => {
  const shown = payload({ language: 'ar', uptime_history: days, monitors: [monitor({ uptime_history: days })] })
  expect(read(renderCardPicture(shown)).at(64, 445)).toBe(light.fall)
})

test('what is down is red, what nobody watches is grey, and a page without monitors has no days', () => {
  const down = payload({ overall_status: 'partial', monitors: [monitor({ current_status: 'down' })] })
  expect(read(renderCardPicture(down)).at(600, 130)).toBe(light.fall)
  const none = payload({ monitors: [], uptime_history: [] })
  expect(read(renderCardPicture(none)).at(600, 130)).toBe(light.blank)
})
