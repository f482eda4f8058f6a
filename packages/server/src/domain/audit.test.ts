import { routes } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { type AuditedRequest, fieldsNamed, kindOf, subjectOf } from './audit.ts'

const subject = (request: Partial<AuditedRequest>) => {
  const { kind, resource_id, resource_name } = subjectOf({
    ...{ path: '/v1/monitors', params: {}, found: undefined, body: undefined },
    ...{ taken: new Map(), team_id: 1, user_id: 2 },
    ...request,
  })
  return [kind, resource_id, resource_name]
}

describe('what a request was about', () => {
  test('is the thing of its path, called as it was before', () => {
    const request = { path: '/v1/monitors/{id}', params: { id: '7' }, found: { name: 'old' }, body: { name: 'new' } }
    expect(subject(request)).toEqual(['monitor', 7, 'old'])
  })

  test('is what it made, under the id that it was given', () => {
    const taken = new Map([
      ['monitor', 9],
      ['probe', 8],
    ])
    expect(subject({ path: '/v1/probes', taken, body: { name: 'berlin' } })).toEqual(['probe', 8, 'berlin'])
  })

  test('is the page where monitors are put on it, and is not called like the monitor', () => {
    const params = { id: '3', monitor_id: '5' }
    const found = { key: {}, row: { monitor_id: 5, name: 'Shop' } }
    expect(subject({ path: '/v1/status-pages/{id}/monitors/{monitor_id}', params, found })).toEqual([
      'status_page',
      3,
      null,
    ])
  })

  test('is a subscriber, not the page', () => {
    const params = { id: '3', subscriber_id: '5' }
    const found = { email: 'a@a.example' }
    expect(subject({ path: '/v1/status-pages/{id}/subscribers/{subscriber_id}', params, found })).toEqual([
      'subscriber',
      5,
      'a@a.example',
    ])
  })

  test('is a member where the account was made at once, else an invitation', () => {
    const add = { path: '/v1/team/members', body: { email: 'a@a.example' } }
    expect(subject({ ...add, taken: new Map([['user', 4]]) })).toEqual(['member', 4, 'a@a.example'])
    expect(subject({ ...add, taken: new Map([['invitation', 6]]) })).toEqual(['invitation', 6, 'a@a.example'])
  })

  test('is told of a channel without its settings', () => {
    const found = { row: { name: 'Hook', settings: 'sealed' }, settings: { url: 'https://a.example/secret' } }
    expect(subject({ path: '/v1/channels/{id}', params: { id: '2' }, found })).toEqual(['channel', 2, 'Hook'])
  })

  test('has a kind for every write of the User API', () => {
    const writes = Object.values(routes).filter(({ method, surface }) => method !== 'GET' && surface === 'user')
    expect(writes.filter(({ path }) => kindOf(path) === undefined)).toEqual([])
  })
})

test('fields are names that the schema knows, and nothing else of the body', () => {
  const schema = { properties: { name: {}, target: {} } }
  expect(fieldsNamed({ target: 's3cret', name: 'x', 's3cret?': 1, toString: 1 }, schema)).toEqual(['name', 'target'])
  expect(fieldsNamed(undefined, schema)).toEqual([])
  expect(fieldsNamed({ name: 'x' }, undefined)).toEqual([])
})
