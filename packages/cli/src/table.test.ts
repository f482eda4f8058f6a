import { expect, test } from 'vitest'
import { type Column, layOut, renderTable } from './table.ts'
import { fitText, textWidth } from './width.ts'

interface Row {
  id: number
  name: string
  target: string
}
const columns: Column<Row>[] = [
  { title: 'ID', cell: row => String(row.id), right: true },
  { title: 'NAME', cell: row => row.name, least: 6 },
  { title: 'TARGET', cell: row => row.target, least: 8, optional: 1, tone: () => 'bad' },
]
const rows: Row[] = [
  { id: 1, name: 'Shop', target: 'https://shop.example/' },
  { id: 12, name: '東京のお店', target: 'db:5432' },
]
const plain = { colour: false, now: 0 }

test('a table with room keeps everything and pads by width, not by length', () => {
  expect(renderTable(columns, rows, { width: 80, ...plain })).toBe(
    ['ID  NAME        TARGET', ' 1  Shop        https://shop.example/', '12  東京のお店  db:5432', ''].join('\n'),
  )
})

test.each([80, 40, 34, 26, 20, 19, 12])('no line is wider than %d columns', width => {
  const lines = renderTable(columns, rows, { width, ...plain })
    .trimEnd()
    .split('\n')
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
})

test('a narrow table cuts the widest first, then drops what is optional', () => {
  expect(renderTable(columns, rows, { width: 26, ...plain })).toContain('Shop        https://s…\n')
  expect(layOut(columns, rows, 14, 0).header.map(title => title.trim())).toEqual(['ID', 'NAME'])
})

test('where there is too little room, moments are short before the last optional column goes, and text is cut', () => {
  const columns: Column<Row>[] = [
    { title: 'AT', cell: () => '2026-11-21 09:30:00Z', moment: true },
    { title: 'STATUS', cell: row => row.name },
    { title: 'SPEED', cell: () => '1234 ms', right: true, optional: 1 },
    { title: 'ERROR', cell: row => row.target, least: 10 },
  ]
  const at = (width: number) => renderTable(columns, rows.slice(0, 1), { width, ...plain }).split('\n')[1]
  expect(at(80)).toBe('2026-11-21 09:30:00Z  Shop    1234 ms  https://shop.example/')
  expect(at(48)).toBe('11-21 09:30Z  Shop    1234 ms  https://shop.exa…')
  expect(at(34)).toBe('11-21 09:30Z  Shop    https://sho…')
  expect(at(28)).toBe('11-21 09:30Z  Shop    https…')
  expect(at(18)).toBe('11-…  Shop   http…')
})

test('a hostile cell is escaped and stays on its line', () => {
  const text = renderTable(columns, [{ id: 1, name: 'a\u001b[2J\nb', target: '' }], { width: 80, ...plain })
  expect(text).toContain('a\\e[2J\\nb')
  expect(text).not.toContain('\u001b')
})

test('colour is there only when asked for', () => {
  expect(renderTable(columns, rows, { width: 80, colour: true, now: 0 })).toContain('\u001b[31m')
  expect(renderTable(columns, rows, { width: 80, ...plain })).not.toContain('\u001b')
})

test.each([
  ['abc', 3],
  ['東京', 4],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['ｗｉｄｅ', 8],
])('%s takes %d columns', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test.each([
  ['abcdef', 4, false, 'abc…'],
  ['ab', 4, true, '  ab'],
  ['東京都', 4, false, '東… '],
  ['abc', 0, false, ''],
])('%j in %d columns (right: %s) is %j', (text, width, right, fitted) => {
  expect(fitText(text, width, right)).toBe(fitted)
})

test('what may not be cut stands beneath its row on a terminal, and beside it in a pipe', () => {
  const columns: Column<string>[] = [
    { title: 'A', cell: () => 'x' },
    { title: 'SEEN', cell: row => row, below: true },
  ]
  const look = { colour: false, now: 0 }
  const rows = ['one two three', '', 'abcdefghijkl 日本日本']
  expect(renderTable(columns, rows, { ...look, width: 14 })).toBe(
    'A\nx\n    one two\n    three\nx\nx\n    abcdefghij\n    kl\n    日本日本\n',
  )
  expect(renderTable(columns, rows, { ...look, width: Number.POSITIVE_INFINITY })).toBe(
    'A  SEEN\nx  one two three\nx\nx  abcdefghijkl 日本日本\n',
  )
})
