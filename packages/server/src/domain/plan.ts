import {
  type ChannelType,
  channelFields,
  type PlanAction,
  type PropertyChange,
  type ResourceKind,
} from '@watchpost/contract'

/** A thing as files say it, with every default filled in. */
export type Said = Record<string, unknown>

/** Shown, and written into files, in place of a secret; given back it means what is kept. */
export const mask = '***'

/** Header names whose values are credentials. */
const credential = /auth|cookie|token|secret|key|passw|credential|session/i

/** Whether a property of a thing holds a secret, whoever says so or not. */
export function isSecret(kind: ResourceKind, path: string, type: unknown): boolean {
  if (kind === 'monitors') {
    const [head, field, name = ''] = path.split('.')
    if (head !== 'options') return false
    if (field === 'auth') return name !== '' && name !== 'type' && name !== 'username'
    return field === 'headers' && credential.test(name)
  }
  if (kind !== 'channels') return false
  return path === 'secret' || (channelFields[type as ChannelType] as Record<string, string>)?.[path] === 'secret'
}

/** The leaves of a thing by path; lists are leaves. */
function leaves(value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    into.set(path, value)
    return into
  }
  for (const [name, inner] of Object.entries(value)) leaves(inner, path === '' ? name : `${path}.${name}`, into)
  return into
}

/** What is another in a thing, by property; a new thing shows what it does not have by default. */
export function propertyChanges(
  before: Said | undefined,
  after: Said | undefined,
  hides: (path: string) => boolean,
): PropertyChange[] {
  const was = leaves(before ?? {}, '', new Map())
  const will = leaves(after ?? {}, '', new Map())
  const changes: PropertyChange[] = []
  for (const path of new Set([...was.keys(), ...will.keys()])) {
    const old = was.get(path) ?? null
    const now = will.get(path) ?? null
    if (path === '' || canonical(old) === canonical(now)) continue
    const shown = (value: unknown) => (value === null || !hides(path) ? value : mask)
    changes.push({ path, old: shown(old), new: shown(now) })
  }
  return changes
}

/** JSON with the keys of objects in order, so that two that say the same are the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** Secrets of a monitor's options masked. */
export function withMasks(options: Said): Said {
  return mapSecrets(options, () => mask)
}

/**
 * Options with what is kept in the place of masks.
 * @param wrong told the path of each mask that nothing is kept for
 */
export function withoutMasks(options: Said, kept: Said | undefined, wrong: (path: string) => void): Said {
  return mapSecrets(options, (value, field, name) => {
    if (value !== mask) return value
    const before = (kept?.[field] as Said | undefined)?.[name]
    if (before === undefined) wrong(`options.${field}.${name}`)
    return before ?? value
  })
}

function mapSecrets(options: Said, replace: (value: unknown, field: string, name: string) => unknown): Said {
  const copy = { ...options }
  for (const field of ['auth', 'headers']) {
    const held = copy[field]
    if (typeof held !== 'object' || held === null) continue
    copy[field] = Object.fromEntries(
      Object.entries(held).map(([name, value]) => [
        name,
        isSecret('monitors', `options.${field}.${name}`, undefined) ? replace(value, field, name) : value,
      ]),
    )
  }
  return copy
}

/** What the token of a plan depends on: what was asked, and what it was compared with. */
export interface Stamp {
  kind: ResourceKind
  key: string
  id: number | undefined
  action: PlanAction
  /** What was asked for; undefined where it is deleted. */
  asked: unknown
  /** Versions, and what has none. */
  seen: unknown
}

/**
 * Stands for a plan: another one, for whatever reason, has another.
 * @param sign with a key, since a plan holds secrets that could be guessed from a plain hash
 */
export function planToken(
  sign: (text: string) => string,
  team_id: number,
  source: string,
  stamps: readonly Stamp[],
): string {
  return sign(canonical({ team_id, source, stamps }))
}

/** Something on the server that a file may mean. */
export interface Known {
  id: number
  key: string
  managed_by: string | null
}

export type Matched<K> = { known: K | undefined } | { fault: string }

/**
 * What on the server an item of a file means: what has its id, or its name.
 * Where several have the name it is the one that the source manages already.
 */
export function match<K extends Known>(
  item: { id?: number | undefined },
  key: string,
  known: readonly K[],
  source: string,
): Matched<K> {
  if (item.id !== undefined) {
    const found = known.find(each => each.id === item.id)
    return found === undefined ? { fault: `there is none with the id ${item.id}` } : { known: found }
  }
  const named = known.filter(each => each.key === key)
  if (named.length < 2) return { known: named[0] }
  const own = named.filter(each => each.managed_by === source)
  if (own.length === 1) return { known: own[0] }
  return { fault: `several have this name (ids ${named.map(each => each.id).join(', ')}); say which with id` }
}
