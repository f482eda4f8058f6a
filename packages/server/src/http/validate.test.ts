import { MonitorWrite, routes, StatusPageWrite, TokenWrite } from '@watchpost/contract'
import { expect, test } from 'vitest'
import { readQuery } from './query.ts'
import { compileValidator } from './validate.ts'

const monitor = compileValidator(MonitorWrite)

test('a good body has no faults', () => {
  expect(monitor.errors({ name: 'a', target: 'https://a.example/', type: 'https', options: { keyword: 'x' } })).toEqual(
    {},
  )
})

test('every fault is told at once, each under the name of its field', () => {
  expect(monitor.errors({ name: '', type: 'smtp', interval: 9, timeout: '5', intervall: 60 })).toEqual({
    name: 'must not be empty',
    target: 'is required',
    type: 'must be one of http, https, ping, tcp, ssl, dns',
    interval: 'must be 10 or more',
    timeout: 'must be an integer',
    intervall: 'unknown field',
  })
})

test('a fault deep inside has the path of its field', () => {
  expect(
    compileValidator(StatusPageWrite).errors({ slug: 'acme', title: 'Acme', theme: { primary_color: 'red' } }),
  ).toEqual({
    'theme.primary_color': 'has the wrong form: Hex colour.',
  })
})

test('a nullable field of the wrong type is told once', () => {
  expect(compileValidator(StatusPageWrite).errors({ slug: 'acme', title: 'Acme', description: 3 })).toEqual({
    description: 'must be a string',
  })
})

test('a time that is none is refused', () => {
  expect(compileValidator(TokenWrite).errors({ name: 'a', expires_at: 'tomorrow' })).toEqual({
    expires_at: 'must be a time in UTC such as 2026-11-21T09:30:00.000Z',
  })
})

test('query parameters are read as their schema says, and bad ones are named', () => {
  const { query } = routes.listMonitors
  const read = readQuery({ page: '2', enabled: 'true', per_page: '1000', status: 'upp', colour: 'red' }, query)
  expect(read).toMatchObject({ page: 2, enabled: true, per_page: 1000 })
  expect(compileValidator(query).errors(read)).toEqual({
    per_page: 'must be 100 or less',
    status: 'must be one of online, offline, pending, paused',
    colour: 'unknown field',
  })
})
