import { expect, test } from 'vitest'
import { appliedSettings, masked, settingsErrors, shownSettings } from './channel-settings.ts'

const hook = 'https://hooks.slack.com/services/T000/B000/abcdefghijklmnop'
const mask = 'https://hooks.slack.com/…mnop'

test('a mask tells where it leads and how it ends, and nothing of what is short', () => {
  expect(masked(hook)).toBe(mask)
  expect(masked('https://hooks.example.com/short')).toBe('https://hooks.example.com/…')
  expect(masked('123456789:AAE-very-secret-token-of-a-bot')).toBe('…-bot')
  expect(masked('1:short')).toBe('…')
})

test('of a channel its own fields are shown, secrets masked', () => {
  const nothing = { url: null, to: null, bot_token: null, chat_id: null }
  expect(shownSettings('slack', { url: hook })).toEqual({ ...nothing, url: mask })
  expect(shownSettings('webhook', { url: hook })).toEqual({ ...nothing, url: hook })
  expect(shownSettings('telegram', { bot_token: '1:short', chat_id: '5' })).toEqual({
    ...nothing,
    bot_token: '…',
    chat_id: '5',
  })
  expect(shownSettings('email', {})).toEqual(nothing)
})

test('what is sent back masked stays, for PUT and PATCH; what is left out stays for PATCH only', () => {
  const before = { url: hook }
  expect(appliedSettings('slack', { url: mask }, before, false)).toEqual(before)
  expect(appliedSettings('slack', {}, before, true)).toEqual(before)
  expect(appliedSettings('slack', {}, before, false)).toEqual({})
  expect(appliedSettings('slack', { url: 'https://b.example/x' }, before, true)).toEqual({ url: 'https://b.example/x' })
})

test.each([
  ['slack', {}, {}, false, { url: 'is required for slack' }],
  ['telegram', { chat_id: '5' }, {}, false, { bot_token: 'is required for telegram' }],
  ['email', { to: ['a@b.example'], url: hook }, {}, false, { url: 'is not a field of email' }],
  ['email', { to: ['a@b.example'], url: null }, {}, false, {}],
  ['slack', { url: mask }, {}, false, { url: 'is masked; give the whole' }],
  ['slack', { url: mask }, { url: hook }, false, {}],
  ['webhook', { url: 'https://' }, {}, false, { url: 'must be a valid URL' }],
  ['slack', {}, { url: hook }, true, {}],
] as const)('%s given %j, before %j', (type, given, before, stays, errors) => {
  expect(settingsErrors(type, given as never, before as never, stays)).toEqual(errors)
})
