import { query } from './query.ts'

export interface SubscriberRow {
  team_id: number
  id: number
  page_id: number
  email: string
  token_hash: string
  /** Sealed. */
  token: string
  confirmed_at: number | null
  /** When the last message that asks to confirm was written. */
  asked_at: number
  created_at: number
}

export const subscriberColumns = 'id, email, confirmed_at, created_at'

export const subscriberById = query<SubscriberRow>(
  'subscriber.byId',
  'select * from subscribers where team_id = @team_id and page_id = @page_id and id = @id',
)

export const subscriberByEmail = query<SubscriberRow>(
  'subscriber.byEmail',
  'select * from subscribers where team_id = @team_id and page_id = @page_id and email = @email',
)

/** By the link in a message, with the page as it is now: it may have another name, or be private. */
export const subscriberByToken = query<SubscriberRow & { slug: string; is_public: number; language: string }>(
  'subscriber.byToken',
  `select s.*, p.slug, p.is_public, p.language from subscribers s
   join status_pages p on p.team_id = s.team_id and p.id = s.page_id
   where s.token_hash = @hash`,
)

/** How many of a page were asked to confirm since then, and have not. */
export const unconfirmedSince = query<{ count: number }>(
  'subscriber.unconfirmed',
  `select count(*) as count from subscribers
   where team_id = @team_id and page_id = @page_id and confirmed_at is null and asked_at >= @since`,
)

/** No row where somebody was quicker with the same address. */
export const insertSubscriber = query<{ id: number }>(
  'subscriber.insert',
  `insert into subscribers (team_id, id, page_id, email, token_hash, token, confirmed_at, asked_at, created_at)
   values (@team_id, @id, @page_id, @email, @hash, @token, null, @now, @now)
   on conflict do nothing returning id`,
)

/** Of two requests that ask again at once, one does. */
export const askSubscriberAgain = query<{ id: number }>(
  'subscriber.askAgain',
  `update subscribers set asked_at = @now
   where team_id = @team_id and id = @id and confirmed_at is null and asked_at = @seen returning id`,
)

export const confirmSubscriber = query(
  'subscriber.confirm',
  'update subscribers set confirmed_at = @now where team_id = @team_id and id = @id and confirmed_at is null',
)

export const deleteSubscriber = [
  query('subscriber.deleteMails', 'delete from subscriber_mails where team_id = @team_id and subscriber_id = @id'),
  query('subscriber.delete', 'delete from subscribers where team_id = @team_id and id = @id'),
]

/** Those who never confirmed, some at a time. */
export const forgetUnconfirmed = query<{ id: number }>(
  'subscriber.forgetUnconfirmed',
  `delete from subscribers where (team_id, id) in (
     select s.team_id, s.id from subscribers s where s.confirmed_at is null and s.asked_at < @before limit @limit)
   returning id`,
)

export const queueConfirmMail = query(
  'subscriberMail.confirm',
  `insert into subscriber_mails (team_id, subscriber_id, outbox_id, attempts, next_at, created_at)
   values (@team_id, @id, 'confirm', 0, @now, @now)
   on conflict (team_id, subscriber_id, outbox_id) do update set attempts = 0, next_at = @now`,
)

/** A message for each confirmed subscriber of each public page that shows the incident of an event. */
export const queueIncidentMails = query(
  'subscriberMail.incident',
  `insert into subscriber_mails (team_id, subscriber_id, outbox_id, attempts, next_at, created_at)
   select s.team_id, s.id, cast(@outbox_id as text), 0, cast(@now as bigint), cast(@created_at as bigint)
   from subscribers s
   join status_pages p on p.team_id = s.team_id and p.id = s.page_id and p.is_public = 1
   where s.team_id = @team_id and s.confirmed_at <= cast(@created_at as bigint)
     and (p.id in (@page_ids...) or exists (
       select 1 from page_monitors a
       join monitors m on m.team_id = a.team_id and m.id = a.monitor_id and m.is_active = 1
       where a.team_id = p.team_id and a.page_id = p.id and a.monitor_id in (@monitor_ids...)))
   on conflict do nothing`,
)

export interface DueMail {
  team_id: number
  subscriber_id: number
  outbox_id: string
  attempts: number
  next_at: number
  email: string
  /** Sealed. */
  token: string
  slug: string
  title: string
  language: string
  custom_domain: string | null
  /** Of the event; null for a message that asks to confirm. */
  body: string | null
}

/** What is to be sent now: to whoever confirmed, about what is public still; and what asks to confirm. */
export const dueMails = query<DueMail>(
  'subscriberMail.due',
  `select q.team_id, q.subscriber_id, q.outbox_id, q.attempts, q.next_at, s.email, s.token, p.slug, p.title, p.language,
     p.custom_domain, o.body
   from subscriber_mails q
   join subscribers s on s.team_id = q.team_id and s.id = q.subscriber_id
   join status_pages p on p.team_id = s.team_id and p.id = s.page_id and p.is_public = 1
   left join outbox o on o.team_id = q.team_id and o.id = q.outbox_id
   where q.next_at <= @now order by q.next_at limit @limit`,
)

/** Holds a message while it is sent: of two replicas that saw it due, one does. */
export const leaseMail = query<{ attempts: number }>(
  'subscriberMail.lease',
  `update subscriber_mails set next_at = @until, attempts = attempts + 1
   where team_id = @team_id and subscriber_id = @subscriber_id and outbox_id = @outbox_id and next_at = @seen
   returning attempts`,
)

export const postponeMail = query(
  'subscriberMail.postpone',
  `update subscriber_mails set next_at = @next_at
   where team_id = @team_id and subscriber_id = @subscriber_id and outbox_id = @outbox_id`,
)

/** Sent, or given up. */
export const settleMail = query(
  'subscriberMail.settle',
  'delete from subscriber_mails where team_id = @team_id and subscriber_id = @subscriber_id and outbox_id = @outbox_id',
)

/** Messages to those who are gone, some at a time. */
export const forgetMails = query<{ outbox_id: string }>(
  'subscriberMail.forget',
  `delete from subscriber_mails where (team_id, subscriber_id, outbox_id) in (
     select q.team_id, q.subscriber_id, q.outbox_id from subscriber_mails q
     where q.created_at < @before or not exists (
       select 1 from subscribers s where s.team_id = q.team_id and s.id = q.subscriber_id)
     limit @limit)
   returning outbox_id`,
)
