import { expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { testErrors, testTarget } from './monitor-test.ts'

const contextOf = (registration: string) => {
  const asked: string[] = []
  const look = async (_team_id: number, _check: object, privateAddresses: string) => {
    asked.push(privateAddresses)
    return { status: 'online' }
  }
  return { asked, context: { config: { registration }, look } as unknown as Context }
}
const body = { type: 'https', target: 'https://shop.example/' } as const

test('the probe is told to keep out of private networks for strangers only', async () => {
  const open = contextOf('open')
  await testTarget(open.context, 1, body)
  await testTarget(open.context, 2, body)
  const closed = contextOf('closed')
  await testTarget(closed.context, 2, body)
  expect([open.asked, closed.asked]).toEqual([['allow', 'deny'], ['allow']])
})

test('what is wrong is named before anybody looks', () => {
  expect(testErrors({ type: 'https', target: 'ftp://shop.example/' })).toHaveProperty('target')
  expect(testErrors({ type: 'tcp', target: 'shop.example:1', options: { nonsense: 1 } })).toHaveProperty([
    'options.nonsense',
  ])
  expect(testErrors(body)).toEqual({})
})
