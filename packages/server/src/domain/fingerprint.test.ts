import { expect, test } from 'vitest'
import { fingerprint } from './fingerprint.ts'

const chrome = (line: number, build: string, host = 'a.example') =>
  `TypeError: x\n    at pay (https://${host}/app.${build}.js:1:${line})\n    at async Cart.go (https://${host}/app.${build}.js:1:99)`

test('ids, numbers, places, hosts and builds do not tell errors apart', () => {
  const one = fingerprint('TypeError', 'order 17 is undefined', chrome(10, '3fa9b2c1'))
  expect(fingerprint('TypeError', 'order 99 is undefined', chrome(222, 'b7d01c44', 'b.example'))).toBe(one)
  expect(one).toMatch(/^[0-9a-f]{16}$/)
  const uuid = (id: string) => fingerprint('Error', `no cart ${id}`, '')
  expect(uuid('5b8efff7-98e0-4810-8d26-9b633813fc60')).toBe(uuid('00000000-1111-2222-3333-444444444444'))
})

test('name, message and functions do', () => {
  const all = [
    fingerprint('TypeError', 'order 17 is undefined', chrome(10, '3fa9b2c1')),
    fingerprint('RangeError', 'order 17 is undefined', chrome(10, '3fa9b2c1')),
    fingerprint('TypeError', 'cart is undefined', chrome(10, '3fa9b2c1')),
    fingerprint('TypeError', 'order 17 is undefined', chrome(10, '3fa9b2c1').replace('pay', 'refund')),
    fingerprint('TypeError', 'order 17 is undefined', ''),
  ]
  expect(new Set(all).size).toBe(5)
})

test('Firefox writes frames in another way, which is understood as well', () => {
  const firefox = (line: number) => `pay@https://a.example/app.js:1:${line}\nCart.go@https://a.example/app.js:1:99\n`
  expect(fingerprint('E', 'x', firefox(1))).toBe(fingerprint('E', 'x', firefox(2)))
  expect(fingerprint('E', 'x', firefox(1))).not.toBe(fingerprint('E', 'x', ''))
})
