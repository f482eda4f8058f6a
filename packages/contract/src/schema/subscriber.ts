import Type, { type Static } from 'typebox'
import { Email, Id, Nullable, Timestamp } from './scalar.ts'

/** What the form on a status page sends. */
export const SubscriptionForm = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { title: 'SubscriptionForm', additionalProperties: true },
)

/** Somebody who is told of a page's incidents by e-mail, or was asked to confirm that. */
export const Subscriber = Type.Object(
  {
    id: Id(),
    email: Email(),
    confirmed_at: Nullable(Timestamp({ description: 'null: the link in the first message was not opened yet.' })),
    created_at: Timestamp(),
  },
  { title: 'Subscriber' },
)
export type Subscriber = Static<typeof Subscriber>
