import { EventEmitter } from 'node:events'
import type { Outcome } from '@watchpost/contract'
import { expect, test, vi } from 'vitest'
import { answerLooks, type Looked } from './look.ts'

const check = { type: 'tcp', target: '127.0.0.1:1', timeout: 1, options: {} }
const outcome = { status: 'online' } as Outcome

test('each look is answered by its number, where it may look; anything else is not listened to', async () => {
  const told: Looked[] = []
  const parent = Object.assign(new EventEmitter(), { send: (message: Looked) => told.push(message) })
  const look = vi.fn(async (_check: unknown, _options: unknown) => outcome)
  answerLooks(parent, new AbortController().signal, look as never)
  for (const message of [null, 'x', { look: 'a' }, { look: 1 }]) parent.emit('message', message)
  parent.emit('message', { look: 7, check, private: 'allow' })
  parent.emit('message', { look: 8, check, private: 'deny' })
  // Nothing said is the narrower of the two.
  parent.emit('message', { look: 9, check })
  await vi.waitFor(() => expect(told.map(({ look }) => look)).toEqual([7, 8, 9]), { timeout: 10_000 })
  const policies = look.mock.calls.map(([, options]) => (options as { policy: { private: string } }).policy.private)
  expect(policies).toEqual(['allow', 'deny', 'deny'])
  expect(look.mock.calls[0]?.[0]).toMatchObject({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-/) })
})
