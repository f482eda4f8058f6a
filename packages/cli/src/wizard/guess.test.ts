import { expect, test } from 'vitest'
import { nameFor, typeFor, typeOf } from './guess.ts'

test.each([
  ['https://shop.example/health', 'https', 'shop.example'],
  ['HTTP://shop.example:8080', 'http', 'shop.example:8080'],
  ['db.example:5432', 'tcp', 'db.example:5432'],
  ['db.example', 'ping', 'db.example'],
  ['10.0.0.1', 'ping', '10.0.0.1'],
])('%s is %s, called %s', (target, type, name) => {
  expect([typeFor(target), nameFor(target)]).toEqual([type, name])
})

test.each([
  ['https', 'https'],
  [' TCP ', 'tcp'],
  ['d', 'dns'],
  ['ht', 'http'],
  ['', undefined],
  ['server', undefined],
])('"%s" means %s', (text, type) => {
  expect(typeOf(text)).toBe(type)
})
