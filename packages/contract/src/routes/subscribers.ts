import Type from 'typebox'
import { listQuery } from '../list-query.ts'
import { route } from '../route.ts'
import { Subscriber, SubscriptionForm } from '../schema/subscriber.ts'

const takes = 'application/x-www-form-urlencoded'
const produces = 'text/html'
const leaves = { produces, envelope: 'bare', reply: Type.String() } as const

/** Who is told of a page's incidents by e-mail: they come, confirm and go by themselves. */
export const subscriberRoutes = {
  listSubscribers: route({
    method: 'GET',
    path: '/v1/status-pages/{id}/subscribers',
    surface: 'user',
    role: 'admin',
    summary: 'List who is told of the incidents of a page by e-mail',
    query: listQuery(Subscriber),
    envelope: 'list',
    reply: Subscriber,
  }),
  deleteSubscriber: route({
    method: 'DELETE',
    path: '/v1/status-pages/{id}/subscribers/{subscriber_id}',
    surface: 'user',
    role: 'admin',
    scope: 'status-pages:write',
    summary: 'Delete a subscriber',
    envelope: 'deleted',
    reply: Type.Null(),
    message: 'Subscriber deleted',
  }),
  viewSubscribe: route({
    method: 'GET',
    path: '/status/{slug}/subscribe',
    surface: 'public',
    summary: 'Form that asks for messages about incidents',
    description: '503 where the instance has no mail server.',
    ...leaves,
  }),
  subscribe: route({
    method: 'POST',
    path: '/status/{slug}/subscribe',
    surface: 'subscription',
    summary: 'Ask for messages about incidents',
    description: 'Sends a link to confirm with. The answer is the same whether the address is known or not.',
    takes,
    body: SubscriptionForm,
    ...leaves,
  }),
  viewSubscription: route({
    method: 'GET',
    path: '/status/{slug}/subscriptions/{token}',
    surface: 'public',
    summary: 'Page to confirm or to leave, as the messages link to it',
    description: 'Changes nothing: mailboxes open links by themselves.',
    ...leaves,
  }),
  confirmSubscription: route({
    method: 'POST',
    path: '/status/{slug}/subscriptions/{token}/confirm',
    surface: 'public',
    summary: 'Confirm a subscription',
    takes,
    ...leaves,
  }),
  leaveSubscription: route({
    method: 'POST',
    path: '/status/{slug}/subscriptions/{token}/leave',
    surface: 'public',
    summary: 'Leave; also by one click of a mailbox (RFC 8058)',
    takes,
    ...leaves,
  }),
}
