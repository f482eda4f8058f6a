import { type CheckTypeName, checkTypes } from '@watchpost/contract'

/** The type that an address most likely means. */
export function typeFor(target: string): CheckTypeName {
  if (/^https:/i.test(target)) return 'https'
  if (/^http:/i.test(target)) return 'http'
  return /:\d+$/.test(target) ? 'tcp' : 'ping'
}

/** A short name for it: its host. */
export function nameFor(target: string): string {
  return URL.parse(target)?.host || target
}

/** The type that was typed, a beginning being enough: `ht` is http; undefined where none is meant. */
export function typeOf(text: string): CheckTypeName | undefined {
  const word = text.trim().toLowerCase()
  return checkTypes.find(type => type === word) ?? checkTypes.find(type => word !== '' && type.startsWith(word))
}
