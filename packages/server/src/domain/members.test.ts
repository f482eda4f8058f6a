import { type Role, roles } from '@watchpost/contract'
import { describe, expect, test } from 'vitest'
import { isStillInvited, judgeMemberChange, type MemberChange } from './members.ts'
import { effectiveRole, weaker } from './roles.ts'

const judge = (change: Partial<MemberChange>) =>
  judgeMemberChange({ actor: 'owner', from: 'member', to: 'viewer', otherOwners: 1, leaves: false, ...change })?.code

describe('a member is changed', () => {
  test.each<[string, Partial<MemberChange>, string | undefined]>([
    ['by an admin', { actor: 'admin' }, undefined],
    ['by a member', { actor: 'member' }, 'forbidden'],
    ['by a viewer', { actor: 'viewer', to: undefined }, 'forbidden'],
    ['to admin by an admin', { actor: 'admin', to: 'admin' }, undefined],
    ['to owner by an admin', { actor: 'admin', to: 'owner' }, 'validation_failed'],
    ['to owner by an owner', { to: 'owner' }, undefined],
    ['from owner by an admin', { actor: 'admin', from: 'owner' }, 'forbidden'],
    ['from owner by an owner', { from: 'owner' }, undefined],
    ['from owner, the last', { from: 'owner', otherOwners: 0 }, 'conflict'],
    ['out, the last owner', { from: 'owner', to: undefined, otherOwners: 0, leaves: true }, 'conflict'],
    ['from owner to owner, the last', { from: 'owner', to: 'owner', otherOwners: 0 }, undefined],
    ['out by themselves', { actor: 'viewer', from: 'viewer', to: undefined, leaves: true }, undefined],
    ['out, another admin, by an admin', { actor: 'admin', from: 'admin', to: undefined }, undefined],
  ])('%s', (_, change, code) => {
    expect(judge(change)).toBe(code)
  })

  test('never to a role above that of whoever changes it', () => {
    for (const actor of roles) {
      for (const to of roles) {
        if (roles.indexOf(to) > roles.indexOf(actor)) expect(judge({ actor, to }), `${actor} ${to}`).toBeDefined()
      }
    }
  })
})

test('an invitation is good while its sender could send it', () => {
  expect(isStillInvited('admin', undefined)).toBe(true)
  expect(isStillInvited('admin', 'admin')).toBe(true)
  expect(isStillInvited('owner', 'admin')).toBe(false)
  expect(isStillInvited('viewer', 'member')).toBe(false)
  expect(isStillInvited('viewer', null)).toBe(false)
})

test('a token does what it was made for, and no more than its maker may now', () => {
  expect(effectiveRole('owner', undefined)).toBe('owner')
  expect(effectiveRole('viewer', null)).toBeUndefined()
  for (const made of roles) {
    for (const maker of roles) expect(effectiveRole(made, maker)).toBe(weaker(made, maker))
  }
  expect(weaker('admin' as Role, 'viewer')).toBe('viewer')
  expect(weaker('viewer', 'owner')).toBe('viewer')
})
