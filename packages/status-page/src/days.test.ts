import { expect, test } from 'vitest'
import { axisOf, daysOn, meanUptime, stretches } from './days.ts'
import { history, monitor, payload, perfect } from './sample.ts'

const daysOf = (uptimes: (number | null)[]) => {
  const points = history(uptimes)
  return daysOn(
    points.map(({ date }) => date),
    points,
  )
}

test.each([
  [100, 'up'],
  [99.999, 'dip'],
  [95, 'dip'],
  [94.99, 'fall'],
  [0, 'fall'],
  [null, 'blank'],
  [Number.NaN, 'blank'],
])('a day at %s is %s', (uptime, level) => {
  expect(daysOf([uptime])[0]?.level).toBe(level)
})

test('a day without data is blank, whatever number comes with it', () => {
  expect(daysOn(['2026-11-21'], [{ date: '2026-11-21', uptime: 0, hasData: false }])[0]?.level).toBe('blank')
})

test('a monitor that is younger than the page gets blank days in front', () => {
  const axis = axisOf(payload({ uptime_history: perfect(3), monitors: [monitor({ uptime_history: perfect(1) })] }))
  expect(daysOn(axis, perfect(1)).map(({ level }) => level)).toEqual(['blank', 'blank', 'up'])
})

test('the axis is every day once, in order, without what is no day, and at most a year', () => {
  const [first, second] = perfect(2)
  const strange = ['2026-13-01', '</style>', '2026-1-1', ''].map(date => ({ date, uptime: 100, hasData: true }))
  const days = [...strange, second, first, second].flatMap(point => point ?? [])
  expect(axisOf(payload({ uptime_history: days, monitors: [] }))).toEqual(['2026-11-20', '2026-11-21'])
  expect(axisOf(payload({ uptime_history: perfect(400) }))).toHaveLength(365)
})

test('the mean leaves out what nobody watched', () => {
  expect(meanUptime(daysOf([null, 100, 98, null]))).toBe(99)
  expect(meanUptime(daysOf([null]))).toBeUndefined()
})

test('unwatched days are told as one stretch, troubled days each, newest first', () => {
  expect(stretches(daysOf([null, null, 100, 90, 99, null])).map(({ from, to, level }) => [from, to, level])).toEqual([
    ['2026-11-21', '2026-11-21', 'blank'],
    ['2026-11-20', '2026-11-20', 'dip'],
    ['2026-11-19', '2026-11-19', 'fall'],
    ['2026-11-16', '2026-11-17', 'blank'],
  ])
})
