import Type, { type Static } from 'typebox'
import { Id, Name, Nullable, Timestamp, Word } from './scalar.ts'

/** Kinds of alert channel. One file in `packages/server/src/channels` for each. */
export const channelTypes = ['webhook'] as const
export type ChannelType = (typeof channelTypes)[number]

const name = Name({ examples: ['on-call'] })
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://',
  description: 'Where events are posted; http or https.',
  examples: ['https://hooks.example.com/watchpost'],
})

export const ChannelWrite = Type.Object(
  { name, type: Word(channelTypes), url },
  { title: 'ChannelWrite', additionalProperties: false },
)

export const Channel = Type.Object(
  {
    id: Id(),
    name,
    type: Word(channelTypes),
    url: Nullable(Type.String({ description: 'null for a viewer: the address may hold a secret.' })),
    disabled_at: Nullable(Timestamp({ description: 'When deliveries stopped because the receiver said 410.' })),
    created_at: Timestamp(),
  },
  { title: 'Channel' },
)
export type Channel = Static<typeof Channel>

/** A channel just made: the only time its signing secret is shown. */
export const CreatedChannel = Type.Object(
  { ...Channel.properties, secret: Type.String({ description: 'Standard Webhooks secret, `whsec_…`.' }) },
  { title: 'CreatedChannel' },
)
export type CreatedChannel = Static<typeof CreatedChannel>
