import { IncidentWrite, MonitorWrite } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { asSchema, kindOf, readList, readPairs, type Schema, textOf, withoutNull } from './schema.ts'

describe('how a field is typed in', () => {
  const monitor = asSchema(MonitorWrite).properties as Record<string, Schema>
  const incident = asSchema(IncidentWrite).properties as Record<string, Schema>
  test.each([
    ['name', monitor.name, 'text'],
    ['type', monitor.type, 'choice'],
    ['interval', monitor.interval, 'number'],
    ['ssl_verify', monitor.ssl_verify, 'switch'],
    ['started_at', incident.started_at, 'time'],
    ['monitor_ids', incident.monitor_ids, 'list'],
  ])('%s', (_name, schema, kind) => {
    expect(kindOf(withoutNull(schema as Schema).schema)).toBe(kind)
  })

  test('null is another way to say nothing', () => {
    const { schema, nullable } = withoutNull(incident.description as Schema)
    expect([schema.type, nullable, kindOf(schema)]).toEqual(['string', true, 'long'])
  })

  test('a word or a number, and one of several kinds of thing', () => {
    expect(kindOf({ anyOf: [{ type: 'string', enum: ['any', 'all'] }, { type: 'integer' }] })).toBe('word')
    const basic = { type: 'object', properties: { type: { const: 'basic' }, username: { type: 'string' } } }
    expect(kindOf({ anyOf: [basic, { type: 'object', properties: { type: { const: 'bearer' } } }] })).toBe('variants')
  })

  test('an object of any names and text is pairs, any other is JSON', () => {
    expect(kindOf({ type: 'object', patternProperties: { '^.*$': { type: 'string' } } })).toBe('pairs')
    expect(kindOf({ type: 'object', properties: { a: { type: 'string' } } })).toBe('json')
    expect(kindOf({ type: 'array', items: { type: 'object' } })).toBe('json')
  })
})

test('a list takes commas and lines, and numbers where they may be', () => {
  const statuses = { anyOf: [{ type: 'integer' }, { type: 'string' }] }
  expect(readList('200, 300-399\n404', statuses)).toEqual([200, '300-399', 404])
  expect(readList('200, a', { type: 'string' })).toEqual(['200', 'a'])
})

test('pairs come back as they were written', () => {
  const pairs = { 'X-Key': 'a:b', Accept: 'text/html' }
  expect(readPairs(textOf('pairs', pairs))).toEqual(pairs)
  expect(readPairs('no colon')).toBeUndefined()
})
