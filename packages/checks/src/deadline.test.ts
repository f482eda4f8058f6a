import { expect, test } from 'vitest'
import { Alarm, waitingFor } from './deadline.ts'

test('an alarm tells everybody who still waits, once', () => {
  const alarm = new Alarm()
  const told: string[] = []
  const second = () => told.push('second')
  const third = () => told.push('third')
  alarm.addEventListener('abort', () => {
    told.push(`first, ${alarm.aborted}`)
    alarm.removeEventListener('abort', second)
  })
  alarm.addEventListener('abort', second)
  alarm.addEventListener('abort', third)
  alarm.removeEventListener('abort', () => undefined)
  expect([alarm.aborted, told]).toEqual([false, []])
  alarm.abort()
  alarm.abort()
  expect(told).toEqual(['first, true', 'third'])
})

test('a signal tells all who wait for it, even those who leave as they are told', () => {
  const stop = new AbortController()
  const told: number[] = []
  const listeners = [1, 2, 3].map(number => {
    const listener = () => {
      told.push(number)
      waitingFor(stop.signal).delete(listener)
    }
    return listener
  })
  for (const listener of listeners) waitingFor(stop.signal).add(listener)
  waitingFor(stop.signal).delete(listeners[1] as () => void)
  stop.abort()
  expect(told).toEqual([1, 3])
  expect(waitingFor(stop.signal).size).toBe(0)
})
