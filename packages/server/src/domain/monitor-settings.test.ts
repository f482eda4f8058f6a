import { describe, expect, test } from 'vitest'
import {
  autoIncident,
  changesCheck,
  needsNewVerdict,
  settingsErrors,
  verdictPolicy,
  withDefaults,
} from './monitor-settings.ts'

const plain = withDefaults({ name: 'a', target: 'https://a.example/', type: 'https' })

test('defaults are those of the ruling', () => {
  expect(plain).toEqual({
    name: 'a',
    target: 'https://a.example/',
    type: 'https',
    interval: 60,
    timeout: 10,
    method: 'get',
    ssl_verify: true,
    enabled: true,
    is_active: true,
    options: {},
  })
})

test('the default timeout stays below a short interval', () => {
  expect(withDefaults({ name: 'a', target: 'a', type: 'ping', interval: 10 }).timeout).toBe(9)
})

describe('faults that two fields make together', () => {
  test('a timeout as long as the interval', () => {
    expect(settingsErrors({ interval: 20, timeout: 20 }, undefined, undefined)).toEqual({
      timeout: 'must be below the interval of 20 seconds',
    })
  })

  test('an interval that falls below a timeout that stays', () => {
    expect(settingsErrors({ interval: 10 }, plain, 'https')).toEqual({
      interval: 'must be above the timeout of 10 seconds',
    })
  })

  test('another type', () => {
    expect(settingsErrors({ type: 'tcp' }, plain, 'https')).toEqual({ type: 'cannot change; it is https' })
    expect(settingsErrors({ type: 'https' }, plain, 'https')).toEqual({})
  })
})

test('two failures make a verdict unless the monitor says otherwise', () => {
  expect(verdictPolicy({})).toEqual({ confirmations: 2, retry_interval_s: 5 })
  expect(verdictPolicy({ confirmations: 3, retry_interval: 20 })).toEqual({ confirmations: 3, retry_interval_s: 20 })
})

test('going offline opens an incident unless the options say not to', () => {
  expect([{}, { auto_incident: true }, { auto_incident: false }].map(autoIncident)).toEqual([true, true, false])
})

test('a new target makes the old verdict void, a new name does not', () => {
  expect(needsNewVerdict(plain, { ...plain, target: 'https://b.example/' })).toBe(true)
  expect(needsNewVerdict(plain, { ...plain, name: 'b', interval: 30 })).toBe(false)
})

test('probes are told of what changes the check, and of nothing else', () => {
  expect(changesCheck(plain, { ...plain, options: { keyword: 'x' } })).toBe(true)
  expect(changesCheck(plain, { ...plain, interval: 30 })).toBe(true)
  expect(changesCheck(plain, { ...plain, name: 'b', is_active: false })).toBe(false)
})
