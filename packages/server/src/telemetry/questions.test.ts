import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { ApiError } from '@watchpost/contract'
import { type Unavailable, UnavailableError } from '@watchpost/store'
import type { Logger } from 'pino'
import { expect, test } from 'vitest'
import type { FromReader, ToReader } from './ask.ts'
import { Questions } from './questions.ts'

/** A thread that answers when it is told to. */
class Thread extends EventEmitter {
  asked: number[] = []
  postMessage({ id }: ToReader) {
    this.asked.push(id)
  }
  answer() {
    this.say({ value: [] })
  }
  fail(why: Unavailable | undefined) {
    this.say({ error: { message: 'no', why } })
  }
  private say(answer: Omit<FromReader, 'id'>) {
    this.emit('message', { id: this.asked.shift(), ...answer })
  }
}

test('a team has eight questions at a time, and all have sixty-four', async () => {
  let thread = new Thread()
  const start = () => {
    thread = new Thread()
    return thread as unknown as Worker
  }
  const questions = new Questions(start, { error: () => undefined } as unknown as Logger)
  const ask = async (team_id: number) => questions.ask(team_id, 'hasMetric', { app_id: team_id, name: 'a' })
  const busy = { code: 'unavailable', retryAfter: 1 }
  const first = Array.from({ length: 8 }, () => ask(1))
  await expect(ask(1)).rejects.toMatchObject(busy)
  const others = [2, 3, 4, 5, 6, 7, 8].flatMap(team => Array.from({ length: 8 }, () => ask(team)))
  await expect(ask(9)).rejects.toMatchObject(busy)

  thread.answer()
  expect(await first[0]).toEqual([])
  const next = ask(1)
  await expect(ask(1)).rejects.toMatchObject(busy)

  // What a thread leaves unanswered is nobody's any more.
  const left = [...first.slice(1), ...others, next].map(each => each.catch(error => error))
  thread.emit('exit')
  for (const error of await Promise.all(left)) expect(error).toBeInstanceOf(ApiError)
  const again = Array.from({ length: 8 }, () => ask(1))
  for (const _ of again) thread.answer()
  expect(await Promise.all(again)).toHaveLength(8)
})

test('a store that is away is told from a fault of ours', async () => {
  const thread = new Thread()
  const questions = new Questions(() => thread as unknown as Worker, {} as Logger)
  const asked = [1, 2].map(team_id => questions.ask(team_id, 'hasMetric', { app_id: 1, name: 'a' }))
  thread.fail('unreachable')
  thread.fail(undefined)
  const [away, ours] = await Promise.all(asked.map(each => each.catch(error => error)))
  expect(away).toBeInstanceOf(UnavailableError)
  expect([away.why, ours.message, ours instanceof UnavailableError]).toEqual(['unreachable', 'no', false])
})
