import { expect, test } from 'vitest'
import { eventsOf } from './follow.ts'

async function read(...chunks: (string | Buffer)[]) {
  const told = []
  for await (const each of eventsOf(
    (async function* () {
      yield* chunks
    })(),
  ))
    told.push(each)
  return told
}

test('events come whole, however they were cut', async () => {
  const bytes = Buffer.from(
    'event: a\ndata: {"name":"Café"}\n\n: nothing\n\nid: msg_1\nevent: b\ndata: [1,\ndata: 2]\n\nevent: c',
  )
  const expected = [
    { event: 'a', data: { name: 'Café' } },
    { id: 'msg_1', event: 'b', data: [1, 2] },
  ]
  expect(await read(bytes)).toEqual(expected)
  expect(await read(...[...bytes].map(byte => Buffer.from([byte])))).toEqual(expected)
})

test('what is no event is passed over', async () => {
  expect(await read('data: 1\n\nevent: x\n\nevent: y\ndata: {\n\n')).toEqual([])
})
