import {
  type ChannelField,
  type ChannelPatch,
  type ChannelType,
  channelFieldNames,
  channelFields,
  type FieldErrors,
} from '@watchpost/contract'

/** What a channel was given, by field; the signing secret is kept apart from it. */
export type GivenSettings = Partial<Record<ChannelField, string | string[]>>

const fieldsOf = (type: ChannelType): Partial<Record<ChannelField, 'shown' | 'secret'>> => channelFields[type]

/** What may be shown of a secret: where it leads, and enough of its end to tell it from another. */
export function masked(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const head = url?.host ? `${url.origin}/` : ''
  const secret = text.slice(head.length)
  return `${head}…${secret.length < 20 ? '' : secret.slice(-4)}`
}

/** The settings as those may see them who may see addresses: fields of other types are null, secrets masked. */
export function shownSettings(type: ChannelType, settings: GivenSettings) {
  const shown = Object.fromEntries(
    channelFieldNames.map(name => {
      const value = settings[name] ?? null
      const how = fieldsOf(type)[name]
      return [name, how === undefined ? null : how === 'secret' && typeof value === 'string' ? masked(value) : value]
    }),
  )
  return shown as { url: string | null; to: string[] | null; bot_token: string | null; chat_id: string | null }
}

/**
 * What a write leads to: the fields of the type, each as given, or as it was where the write names it masked.
 * @param stays whether a field that the write does not name stays, as PATCH has it
 */
export function appliedSettings(
  type: ChannelType,
  given: ChannelPatch,
  before: GivenSettings,
  stays: boolean,
): GivenSettings {
  const entries = Object.keys(fieldsOf(type)).map(key => {
    const name = key as ChannelField
    const value = given[name]
    const kept = before[name]
    if (value == null) return [name, stays ? kept : undefined]
    return [name, isMaskOf(value, kept) ? kept : value]
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** What the type asks of the fields. @param before what it was given before, if anything */
export function settingsErrors(
  type: ChannelType,
  given: ChannelPatch,
  before: GivenSettings,
  stays: boolean,
): FieldErrors {
  const errors: FieldErrors = {}
  const after = appliedSettings(type, given, before, stays)
  for (const name of channelFieldNames) {
    const value = given[name]
    if (fieldsOf(type)[name] === undefined) {
      if (value != null) errors[name] = `is not a field of ${type}`
    } else if (after[name] === undefined) errors[name] = `is required for ${type}`
    else if (typeof value === 'string' && value.includes('…') && !isMaskOf(value, before[name])) {
      errors[name] = 'is masked; give the whole'
    } else if (name === 'url' && typeof value === 'string' && !URL.canParse(value)) errors[name] = 'must be a valid URL'
  }
  return errors
}

const isMaskOf = (value: unknown, kept: unknown): boolean => typeof kept === 'string' && value === masked(kept)
