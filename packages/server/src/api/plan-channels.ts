import type { ChannelItem, ChannelPatch, ChannelWrite, FieldErrors } from '@watchpost/contract'
import { noServer } from '../channels/email.ts'
import type { Context } from '../context.ts'
import { appliedSettings } from '../domain/channel-settings.ts'
import { channelErrors } from './channels.ts'
import { mailErrors } from './mailable.ts'
import type { Draft, Drafting } from './plan-draft.ts'
import type { References, Target } from './plan-references.ts'
import { channelSaid, type KnownChannel } from './plan-state.ts'

export interface ChannelDraft extends Draft {
  kind: 'channels'
  known: KnownChannel | undefined
  /** What is written, but for its monitors; null where it is deleted. */
  body: ChannelWrite | null
  monitors: Target[]
  secret: string | undefined
}

export function draftChannels(
  context: Context,
  drafting: Drafting,
  references: References,
  items: readonly ChannelItem[],
  mailable: ReadonlySet<string> | undefined,
): ChannelDraft[] {
  const known = drafting.state.channels
  const drafts = drafting.each(
    'channels',
    items,
    item => item.name,
    known,
    (item, before, fault) => {
      const { id: _, monitors: named = [], secret, ...given } = item
      const monitors = references.resolveAll(
        named,
        (index, message) => fault(`monitors.${index}`, message),
        JSON.parse(before?.channel.row.monitor_ids ?? '[]'),
      )
      const settings = before?.channel.settings ?? {}
      // What a file leaves out of an address or a token stays: an export has neither.
      const body = { events: [], enabled: true, ...given, ...keptFields(given, before) }
      const errors: FieldErrors = {
        ...mailErrors(item.type === 'email' ? mailable : undefined, body.to, settings.to),
        ...channelErrors(body as ChannelPatch, before?.channel, false),
      }
      if (secret !== undefined && item.type !== 'webhook') errors.secret = 'is for webhook only'
      if (item.type === 'email' && context.config.mailServer === undefined && before === undefined)
        errors.type = noServer
      for (const [field, message] of Object.entries(errors)) fault(field, message)
      const after = appliedSettings(item.type, body, settings, false)
      const label = references.label
      const { secret: was, ...said } = before ? channelSaid(before.channel, label) : ({} as Record<string, unknown>)
      const { url = null, to = null, bot_token = null, chat_id = null } = after
      return {
        before: before && { ...said, ...(secret === undefined ? {} : { secret: was ?? null }) },
        after: {
          name: item.name,
          type: item.type,
          url,
          to,
          bot_token,
          chat_id,
          events: body.events,
          monitors: inOrder(
            monitors.map(each => each.label),
            said.monitors,
          ),
          enabled: body.enabled,
          ...(secret === undefined ? {} : { secret }),
        },
        seen: before?.channel.row.version ?? null,
        more: { body, monitors, secret },
      }
    },
  )
  return [
    ...drafts.map(draft => ({ ...draft, kind: 'channels' as const })),
    ...drafting.pruned('channels', known, drafts).map(draft => ({
      ...draft,
      kind: 'channels' as const,
      body: null,
      monitors: [],
      secret: undefined,
      stamp: { ...draft.stamp, seen: draft.known?.channel.row.version },
    })),
  ]
}

/** Addresses and tokens that a file does not say, from what is kept. */
function keptFields(given: Partial<ChannelWrite>, before: KnownChannel | undefined): Partial<ChannelWrite> {
  const { url, to, bot_token, chat_id } = (before?.channel.settings ?? {}) as Partial<ChannelWrite>
  const kept = { url, to, bot_token, chat_id }
  return Object.fromEntries(
    Object.entries(kept).filter(
      ([name, value]) => value !== undefined && (given as Record<string, unknown>)[name] === undefined,
    ),
  )
}

/** The order of what a set holds is no difference. */
export function inOrder(labels: readonly unknown[], before: unknown): readonly unknown[] {
  if (!Array.isArray(before) || before.length !== labels.length) return labels
  const had = new Set(before)
  return labels.every(label => had.has(label)) ? before : labels
}
