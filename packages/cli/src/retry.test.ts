import { describe, expect, test } from 'vitest'
import { pauseBefore } from './retry.ts'

const half = 0.5

describe('pauses', () => {
  test.each([
    ['a busy server and a read', 0, 'GET', { status: 503 }, 200],
    ['longer each time', 3, 'GET', { status: 503 }, 1600],
    ['what the server asks for', 0, 'GET', { status: 429, retryAfterMs: 7000 }, 7000],
    ['a POST refused unseen', 0, 'POST', { status: 429 }, 200],
    ['a POST that never left', 0, 'POST', { status: 0, failure: 'ECONNREFUSED' }, 200],
    ['a read lost on the way', 1, 'GET', { status: 0, failure: 'ECONNRESET' }, 400],
    ['a PATCH to a busy server', 0, 'PATCH', { status: 503 }, 200],
    ['a read and a bug in the server', 0, 'GET', { status: 500 }, 200],
    ['a POST under a key that may have been done', 0, 'KEYED', { status: 503 }, 200],
    ['a POST under a key lost on the way', 0, 'KEYED', { status: 0, failure: 'ECONNRESET' }, 200],
    ['a POST under a key that is still being done', 1, 'KEYED', { status: 409 }, 400],
  ] as const)('%s', (_, attempt, method, result, ms) => {
    expect(pauseBefore(attempt, method, result, half)).toBe(ms)
  })
})

describe('no second try', () => {
  test.each([
    ['a POST that may have been done', 0, 'POST', { status: 503 }],
    ['a POST lost on the way', 0, 'POST', { status: 0, failure: 'ECONNRESET' }],
    ['a deletion lost on the way', 0, 'DELETE', { status: 0, failure: 'EPIPE' }],
    ['a quota', 0, 'GET', { status: 429, code: 'quota_exceeded' }],
    ['a refusal', 0, 'GET', { status: 422 }],
    ['a PATCH and a bug in the server', 0, 'PATCH', { status: 500 }],
    ['a conflict', 0, 'KEYED', { status: 409 }],
    ['a conflict of something else', 1, 'PATCH', { status: 409 }],
    ['a host that does not exist', 0, 'GET', { status: 0, failure: 'ENOTFOUND' }],
    ['a certificate', 0, 'GET', { status: 0, failure: 'SELF_SIGNED_CERT_IN_CHAIN' }],
    ['a server that stays down', 3, 'GET', { status: 0, failure: 'ECONNREFUSED' }],
    ['a server that stays busy', 5, 'GET', { status: 503 }],
  ] as const)('%s', (_, attempt, method, result) => {
    expect(pauseBefore(attempt, method, result, half)).toBeUndefined()
  })
})
