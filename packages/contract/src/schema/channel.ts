import Type, { type Static } from 'typebox'
import { Id, ManagedBy, Name, Nullable, Timestamp, Word } from './scalar.ts'
import { eventNames } from './webhook.ts'

/**
 * Kinds of alert channel, and what each must be given. A field marked secret is shown masked, even to those who may
 * change it. One file in `packages/server/src/channels` for each.
 */
export const channelFields = {
  webhook: { url: 'shown' },
  email: { to: 'shown' },
  slack: { url: 'secret' },
  telegram: { bot_token: 'secret', chat_id: 'shown' },
  discord: { url: 'secret' },
} as const satisfies Record<string, Partial<Record<ChannelField, 'shown' | 'secret'>>>
export type ChannelType = keyof typeof channelFields
export const channelTypes = Object.keys(channelFields) as ChannelType[]

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^https?://',
    description: 'Where messages are posted, http or https; webhook, slack, discord.',
    examples: ['https://hooks.example.com/watchpost'],
  }),
  to: Type.Array(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@<>,;:"()\\[\\]\\\\]{1,64}@[^\\s@<>,;:"()\\[\\]\\\\]+$',
      description: 'an e-mail address such as ops@example.com',
      examples: ['ops@example.com'],
    }),
    { minItems: 1, maxItems: 20, uniqueItems: true, description: 'E-mail addresses; email.' },
  ),
  bot_token: Type.String({
    maxLength: 200,
    pattern: '^(\\d{1,20}:[\\w-]{1,150}|.*….*)$',
    examples: ['110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
    description: 'Token of the bot, as BotFather gives it; telegram.',
  }),
  chat_id: Type.String({
    maxLength: 40,
    pattern: '^(-?\\d{1,20}|@\\w{1,38})$',
    description: 'Number of the chat, or @ and the name of a public one; telegram.',
    examples: ['-1001234567890'],
  }),
}
export type ChannelField = keyof typeof fields
export const channelFieldNames = Object.keys(fields) as ChannelField[]

const name = Name({ examples: ['on-call'] })
const nullable = {
  url: Nullable(fields.url),
  to: Nullable(fields.to),
  bot_token: Nullable(fields.bot_token),
  chat_id: Nullable(fields.chat_id),
}
const filters = {
  events: Type.Array(Word(eventNames), {
    uniqueItems: true,
    maxItems: 50,
    default: [],
    description: 'Events that it gets; none named is all of them.',
  }),
  monitor_ids: Type.Array(Id(), {
    uniqueItems: true,
    maxItems: 200,
    default: [],
    description: 'Ids of monitors whose events it gets; none named is all of them.',
  }),
  enabled: Type.Boolean({ default: true, description: 'false: it gets nothing.' }),
}

/** Body of create and of PUT: what is absent takes its default (ruling 10). Which fields it needs, its type says. */
export const ChannelWrite = Type.Object(
  {
    name,
    type: Word(channelTypes),
    ...Type.Partial(Type.Object({ ...nullable, ...filters })).properties,
  },
  {
    title: 'ChannelWrite',
    additionalProperties: false,
    examples: [{ name: 'on-call', type: 'webhook', url: 'https://hooks.example.com/watchpost' }],
  },
)
export type ChannelWrite = Static<typeof ChannelWrite>

/** Body of PATCH: what is absent stays. */
export const ChannelPatch = Type.Partial(ChannelWrite, {
  title: 'ChannelPatch',
  additionalProperties: false,
  examples: [{ events: ['monitor.status_changed'] }],
})
export type ChannelPatch = Static<typeof ChannelPatch>

const shown = (what: string) =>
  Nullable(Type.String({ description: `${what}; null for other types, and for a viewer. Secrets are masked.` }))

export const Channel = Type.Object(
  {
    id: Id(),
    name,
    type: Word(channelTypes),
    url: shown('Of webhook, slack and discord'),
    to: Nullable(Type.Array(Type.String(), { description: 'Of email; null for other types, and for a viewer.' })),
    bot_token: shown('Of telegram'),
    chat_id: shown('Of telegram'),
    ...filters,
    disabled_at: Nullable(Timestamp({ description: 'When the receiver asked never to be called again.' })),
    disabled_reason: Nullable(Type.String({ description: 'What it said; null for a viewer.' })),
    managed_by: ManagedBy(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { title: 'Channel' },
)
export type Channel = Static<typeof Channel>

/** A channel just made, or with a new secret: the only time its signing secret is shown. */
export const CreatedChannel = Type.Object(
  {
    ...Channel.properties,
    secret: Nullable(Type.String({ description: 'Standard Webhooks secret, `whsec_…`; null for other types.' })),
  },
  { title: 'CreatedChannel' },
)
export type CreatedChannel = Static<typeof CreatedChannel>

/** How a test of a channel went. */
export const ChannelTest = Type.Object(
  {
    delivered: Type.Boolean(),
    response_status: Nullable(Type.Integer({ description: 'What the receiver answered, where it speaks HTTP.' })),
    error: Nullable(Type.String({ description: 'Why it was not delivered.' })),
  },
  { title: 'ChannelTest' },
)
export type ChannelTest = Static<typeof ChannelTest>
