import { beforeEach, describe, expect, it } from 'vitest'
import { ServerClock } from './clock.ts'

describe('ServerClock', () => {
  let monotonic: number
  let clock: ServerClock
  const wall = 1_700_000_000_000
  beforeEach(() => {
    monotonic = 500
    clock = new ServerClock(
      () => monotonic,
      () => wall,
    )
  })

  it('is the clock of this host until it has heard from the server', () => {
    expect(clock.now()).toBe(wall)
    clock.sync(Number.NaN, 0, 0)
    expect(clock.now()).toBe(wall)
  })

  it('takes the server time to lie half-way between sending and receiving, and runs on from there', () => {
    clock.sync(wall + 5000, 500, 700)
    monotonic = 1600
    expect(clock.now()).toBe(wall + 6000)
    expect(clock.skewMs()).toBe(6000)
  })

  it('believes the quickest exchange: a slow one can be wrong by half its round trip', () => {
    clock.sync(10_000, 0, 20)
    clock.sync(10_900, 100, 1100)
    monotonic = 10
    expect(clock.now()).toBe(10_000)
  })

  it('follows when the clock of the server is set', () => {
    clock.sync(10_000, 0, 20)
    clock.sync(70_000, 100, 140)
    monotonic = 120
    expect(clock.now()).toBe(70_000)
  })
})
