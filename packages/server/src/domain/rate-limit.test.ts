import { describe, expect, test } from 'vitest'
import { type Asker, Budget, type Policy } from './rate-limit.ts'

const hour: Policy = { name: 'hour', limit: 5, windowS: 3600, keyOf: asker => asker.credential }
const minute: Policy = {
  name: 'minute',
  limit: 3,
  windowS: 60,
  keyOf: asker => `${asker.credential} ${asker.address}`,
}
const byAddress: Policy = { name: 'address', limit: 2, windowS: 3600, keyOf: asker => asker.address }

const home: Asker = { credential: 1, address: '192.0.2.1' }
const office: Asker = { credential: 1, address: '192.0.2.2' }
const other: Asker = { credential: 2, address: '192.0.2.1' }

/** A whole hour, so that every window starts with it. */
const start = 1_800_000 * 3_600_000

const allowed = (budget: Budget, asker: Asker, now: number) => budget.take(asker, now)?.allowed

test('the last request of a budget is let through, the next is not', () => {
  const budget = new Budget([minute])
  expect([1, 2, 3, 4].map(() => budget.take(home, start)).map(it => [it?.allowed, it?.remaining])).toEqual([
    [true, 2],
    [true, 1],
    [true, 0],
    [false, 0],
  ])
})

describe('windows are fixed', () => {
  test('the budget is whole again when the window ends, and not a moment earlier', () => {
    const budget = new Budget([minute])
    for (let count = 0; count < 3; count++) budget.take(home, start + 30_000)
    expect(allowed(budget, home, start + 59_999)).toBe(false)
    expect(budget.take(home, start + 60_000)).toMatchObject({ allowed: true, remaining: 2 })
  })

  test('they start at multiples of their length, whenever the first request came', () => {
    const budget = new Budget([minute])
    expect(budget.take(home, start + 59_999)).toMatchObject({ resetAt: start / 1000 + 60, resetInS: 1 })
    expect(budget.take(home, start + 60_000)).toMatchObject({ resetAt: start / 1000 + 120, resetInS: 60, remaining: 2 })
  })

  test('a clock that is set back starts anew instead of refusing for ever', () => {
    const budget = new Budget([minute])
    for (let count = 0; count < 4; count++) budget.take(home, start)
    expect(allowed(budget, home, start - 86_400_000)).toBe(true)
  })
})

describe('several limits at once', () => {
  test('the one nearer to running out is reported', () => {
    const budget = new Budget([hour, minute])
    expect(budget.take(home, start)).toMatchObject({ policy: minute, remaining: 2 })
    budget.take(office, start)
    budget.take(office, start)
    expect(budget.take(home, start)).toMatchObject({ policy: hour, remaining: 1 })
  })

  test('of two that are as near, the one that lasts longer', () => {
    const budget = new Budget([{ ...minute, limit: 5 }, hour])
    expect(budget.take(home, start)?.policy).toBe(hour)
    expect(new Budget([hour, { ...minute, limit: 5 }]).take(home, start)?.policy).toBe(hour)
  })

  test('each refuses by itself', () => {
    const budget = new Budget([hour, minute])
    for (let count = 0; count < 3; count++) expect(allowed(budget, home, start)).toBe(true)
    expect(budget.take(home, start)).toMatchObject({ allowed: false, policy: minute, resetInS: 60 })
    expect(allowed(budget, office, start)).toBe(true)
    expect(allowed(budget, office, start)).toBe(true)
    expect(budget.take(office, start)).toMatchObject({ allowed: false, policy: hour, resetInS: 3600 })
    expect(budget.take(home, start + 60_000)).toMatchObject({ allowed: false, policy: hour })
    expect(allowed(budget, home, start + 3_600_000)).toBe(true)
  })

  test('what one refuses takes nothing from the other', () => {
    const budget = new Budget([hour, minute])
    for (let count = 0; count < 20; count++) budget.take(home, start)
    expect(budget.take(home, start + 60_000)).toMatchObject({ allowed: true, policy: hour, remaining: 1 })
  })
})

test('askers have budgets of their own', () => {
  const budget = new Budget([minute])
  for (let count = 0; count < 4; count++) budget.take(home, start)
  expect([home, office, other].map(asker => allowed(budget, asker, start))).toEqual([false, true, true])
})

test('0 is no limit', () => {
  expect(new Budget([{ ...minute, limit: 0 }]).take(home, start)).toBeUndefined()
  const budget = new Budget([hour, { ...minute, limit: 0 }])
  expect(budget.policies).toEqual([hour])
  expect(budget.take(home, start)).toMatchObject({ policy: hour, remaining: 4 })
})

test('what is given back can be taken again, in every limit, and never more than was taken', () => {
  const budget = new Budget([hour, minute])
  budget.take(home, start)
  budget.giveBack(home, start)
  budget.giveBack(home, start)
  expect(budget.take(home, start)).toMatchObject({ policy: minute, remaining: 2 })
  budget.giveBack(home, start + 3_600_000)
  expect(budget.take(home, start + 3_600_000)).toMatchObject({ policy: minute, remaining: 2 })
})

describe('memory is bounded', () => {
  const kept = (budget: Budget) =>
    (budget as unknown as { windows: { young: Map<unknown, unknown>; old: Map<unknown, unknown> }[] }).windows
      .map(({ young, old }) => young.size + old.size)
      .reduce((sum, size) => sum + size)
  const stranger = (number: number): Asker => ({ credential: 0, address: `stranger ${number}` })

  test('however many addresses there are', () => {
    const budget = new Budget([byAddress], 100)
    for (let number = 0; number < 10_000; number++) budget.take(stranger(number), start)
    expect(kept(budget)).toBeLessThanOrEqual(200)
  })

  test('a flood of addresses frees nobody who keeps asking', () => {
    const budget = new Budget([byAddress], 100)
    for (let count = 0; count < 3; count++) budget.take(home, start)
    for (let number = 0; number < 1000; number++) {
      budget.take(stranger(number), start)
      if (number % 90 === 0) expect(allowed(budget, home, start)).toBe(false)
    }
  })

  test('what a window counted goes with it', () => {
    const budget = new Budget([byAddress], 100)
    for (let number = 0; number < 150; number++) budget.take(stranger(number), start)
    budget.take(home, start + 3_600_000)
    expect(kept(budget)).toBe(1)
  })
})
