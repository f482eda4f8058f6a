import {
  ApiError,
  Email,
  type subscriberRoutes as routes,
  type Subscriber,
  subscriberRoutes,
} from '@watchpost/contract'
import { renderPlainStep, renderStep, type Step as Stage } from '@watchpost/status-page'
import {
  askSubscriberAgain,
  ConflictError,
  confirmSubscriber,
  deleteSubscriber,
  insertSubscriber,
  queueConfirmMail,
  type StatusPageRow,
  type Step,
  type SubscriberRow,
  subscriberByEmail,
  subscriberById,
  subscriberByToken,
  subscriberColumns,
  unconfirmedSince,
} from '@watchpost/store'
import type { Context } from '../context.ts'
import { found, type Handlers, type Page } from '../http/handler.ts'
import { columnsByName, listRows } from '../http/list.ts'
import { compileValidator } from '../http/validate.ts'
import { hashToken, newToken } from '../secrets.ts'
import { pathId, takeId } from './ids.ts'
import type { PublishedPages } from './published-status.ts'
import { findPage } from './status-pages.ts'
import { iso, isoOrNull } from './time.ts'

/** Somebody who asks again within that time was sent a link already. */
const askedAgainMs = 10 * 60_000
/** Links of a page that nobody has opened yet, in an hour: whoever types in strangers' addresses fills it for a while. */
const mostUnconfirmed = 100
/** How long a link confirms. */
export const confirmWithinMs = 86_400_000

const address = compileValidator(Email())

export function subscriberHandlers(pages: PublishedPages): Handlers<typeof routes> {
  /** The small page that says how far somebody is. */
  const answer = async (context: Context, slug: string, step: Stage, status = 200): Promise<Page> => {
    const published = await pages.get(context, slug)
    return pageOf(renderStep(await published.shown(), `/status/${published.page.slug}`, step), status)
  }
  /** Whoever is subscribed may leave, whatever has become of the page; only one that is public gets new readers. */
  const ofToken = async (context: Context, slug: string, token: string) => {
    const row = await context.db.one(subscriberByToken, { hash: hashToken(token) })
    const isShown = row?.is_public === 1 && row.slug === slug.toLowerCase()
    if (row === undefined || isLate(row, context.now()) || (row.confirmed_at === null && !isShown))
      throw new ApiError('not_found', 'This link is good no more')
    return row
  }
  /** The same to somebody with a link: of a page that is private now nothing is shown. */
  const answerTo = (context: Context, { slug, is_public, language }: OfLink, step: Stage): Promise<Page> | Page =>
    is_public === 1 ? answer(context, slug, step) : pageOf(renderPlainStep(language, step), 200)

  return {
    listSubscribers: found({
      find: findPage,
      async handle({ query, context }, { team_id, id: page_id }) {
        const { rows, total } = await listRows<SubscriberRow>(context.db, query, {
          route: subscriberRoutes.listSubscribers,
          name: 'subscriber.list',
          columns: columnsByName(subscriberColumns),
          from: 'subscribers',
          where: 'team_id = @team_id and page_id = @page_id',
          params: { team_id, page_id },
        })
        return { rows: rows.map(subscriberView), total }
      },
    }),

    deleteSubscriber: found({
      async find({ params, caller, context }) {
        const [page_id, id] = [pathId(params.id), pathId(params.subscriber_id)]
        if (page_id === undefined || id === undefined) return undefined
        return context.db.one(subscriberById, { team_id: caller.team_id, page_id, id })
      },
      async handle({ context }, subscriber) {
        await remove(context, subscriber)
        return undefined
      },
    }),

    async viewSubscribe({ params, context }) {
      const { page } = await pages.get(context, params.slug)
      requireMail(context)
      return answer(context, page.slug, { step: 'ask', action: `/status/${page.slug}/subscribe` })
    },

    async subscribe({ params, body, context }) {
      const { page } = await pages.get(context, params.slug)
      requireMail(context)
      const email = body.email.trim().toLowerCase()
      if (Object.keys(address.errors(email)).length > 0) {
        return answer(context, page.slug, { step: 'ask', action: `/status/${page.slug}/subscribe`, wrong: true }, 422)
      }
      await ask(context, page, email)
      return answer(context, page.slug, { step: 'sent' })
    },

    async viewSubscription({ params: { slug, token }, context }) {
      const row = await ofToken(context, slug, token)
      const step = row.confirmed_at === null ? 'confirm' : 'leave'
      return answerTo(context, row, { step, action: `/status/${row.slug}/subscriptions/${token}/${step}` })
    },

    async confirmSubscription({ params, context }) {
      const row = await ofToken(context, params.slug, params.token)
      const { team_id, id } = row
      await context.db.commit([{ query: confirmSubscriber, params: { team_id, id, now: context.now() } }])
      return answerTo(context, row, { step: 'confirmed' })
    },

    async leaveSubscription({ params, context }) {
      const row = await ofToken(context, params.slug, params.token)
      await remove(context, row)
      return answerTo(context, row, { step: 'left' })
    },
  }
}

type OfLink = { slug: string; is_public: number; language: string }

function pageOf({ body, policy }: ReturnType<typeof renderStep>, status: number): Page {
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
  return { body, headers, status }
}

function requireMail({ config }: Context): void {
  if (config.mailServer === undefined) {
    throw new ApiError('unavailable', 'This page sends no e-mail', { retryAfter: 86_400 })
  }
}

const isLate = ({ confirmed_at, asked_at }: SubscriberRow, now: number): boolean =>
  confirmed_at === null && asked_at + confirmWithinMs <= now

/** Sends a link to confirm with, unless they are subscribed, or have just been sent one. */
async function ask(context: Context, { team_id, id: page_id }: StatusPageRow, email: string): Promise<void> {
  const { db, keyring } = context
  const now = context.now()
  const known = await db.one(subscriberByEmail, { team_id, page_id, email })
  if (known !== undefined && (known.confirmed_at !== null || known.asked_at > now - askedAgainMs)) return
  const { count = 0 } = (await db.one(unconfirmedSince, { team_id, page_id, since: now - 3_600_000 })) ?? {}
  if (count >= mostUnconfirmed) {
    throw new ApiError('rate_limit_exceeded', 'Too many have asked for messages of this page; try again later', {
      retryAfter: 3600,
    })
  }
  const id = known?.id ?? (await takeId(db, 'subscriber'))
  const token = newToken('subscription')
  const step: Step =
    known === undefined
      ? {
          query: insertSubscriber,
          params: {
            ...{ team_id, id, page_id, email, now },
            hash: hashToken(token),
            token: keyring.seal(token, sealedFor(team_id, id)),
          },
          expect: 1,
        }
      : { query: askSubscriberAgain, params: { team_id, id, now, seen: known.asked_at }, expect: 1 }
  try {
    await db.commit([step, { query: queueConfirmMail, params: { team_id, id, now } }])
  } catch (error) {
    // The same was asked at the same moment, and one is enough.
    if (!(error instanceof ConflictError)) throw error
  }
}

/** What the token of a subscriber is sealed for. */
export const sealedFor = (team_id: number, id: number): string => `subscriber ${team_id} ${id}`

async function remove({ db }: Context, { team_id, id }: SubscriberRow): Promise<void> {
  await db.commit(deleteSubscriber.map(query => ({ query, params: { team_id, id } })))
}

function subscriberView({ id, email, confirmed_at, created_at }: SubscriberRow): Subscriber {
  return { id, email, confirmed_at: isoOrNull(confirmed_at), created_at: iso(created_at) }
}
