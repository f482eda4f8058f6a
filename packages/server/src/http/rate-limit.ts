import type { IncomingMessage } from 'node:http'
import { ApiError } from '@watchpost/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { addressBlock } from '../domain/client-address.ts'
import { type Asker, Budget, type Policy, type Standing } from '../domain/rate-limit.ts'
import { readClientAddress } from './client-address.ts'
import { namesTags } from './etag.ts'
import type { ProbeCaller, SessionCaller, UserCaller } from './handler.ts'

/** What every counted answer says about its limit. */
export const rateLimitHeaders = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

/** Counts a request and says in the answer's headers where that leaves its caller; throws `rate_limit_exceeded`. */
export type Count<Caller> = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => void

/** One way to count for each kind of caller. */
export interface Counts {
  user: Count<UserCaller>
  session: Count<SessionCaller>
  probe: Count<ProbeCaller>
  /** Whoever has no credential, or one that was refused. */
  anonymous: Count<void>
  /**
   * Counts one of those before there is a reply, unless what is asked for is held already.
   * @returns the headers that say where that leaves them; undefined where they may not ask
   */
  visitor(request: Asking, held: boolean): string[] | undefined
  login: Count<unknown>
  registration: Count<unknown>
  /** Events of browsers, by the app whose key they came with, and by address. */
  rum: Count<{ id: number }>
  subscription: Count<unknown>
  /** Counts a password tried for an account, wherever from. @returns takes it back: it was right */
  attempt(reply: FastifyReply, email: string): () => void
}

/** What tells from where a request comes. */
type Asking = Pick<IncomingMessage, 'socket' | 'headers'>

/** A request that was counted, so that it can be given back. */
interface Counted {
  budget: Budget
  asker: Asker
}

/**
 * Limits how often one may ask (specification 8.1, ruling 18). The counts are this process's own.
 * What no route answers is counted here; what a route answers is counted by who may ask it.
 */
export function limitRequests(app: FastifyInstance, context: Pick<Context, 'config' | 'log' | 'now'>): Counts {
  const { tokenHour, tokenMinute, anonymousHour, probeMinute, ...limits } = context.config.rateLimits
  const token = new Budget([
    { name: 'token-hour', limit: tokenHour, windowS: 3600, keyOf: asker => asker.credential },
    { name: 'token-minute', limit: tokenMinute, windowS: 60, keyOf: asker => `${asker.credential} ${asker.address}` },
  ])
  const probe = new Budget([
    { name: 'probe-minute', limit: probeMinute, windowS: 60, keyOf: asker => asker.credential },
  ])
  const anonymous = new Budget([
    { name: 'anonymous-hour', limit: anonymousHour, windowS: 3600, keyOf: asker => asker.address },
  ])

  const session = new Budget([
    { name: 'session-minute', limit: limits.sessionMinute, windowS: 60, keyOf: asker => asker.credential },
  ])
  const login = new Budget([
    { name: 'login-15min', limit: limits.login15Min, windowS: 900, keyOf: asker => asker.address },
  ])
  // Many addresses may guess at one account; whoever knows the password is not counted.
  const account = new Budget([
    { name: 'login-account-15min', limit: limits.login15Min, windowS: 900, keyOf: asker => asker.credential },
  ])
  const registration = new Budget([
    { name: 'registration-hour', limit: limits.registrationHour, windowS: 3600, keyOf: asker => asker.address },
  ])
  const rum = new Budget([
    { name: 'rum-key-minute', limit: limits.rumKeyMinute, windowS: 60, keyOf: asker => asker.credential },
    { name: 'rum-address-minute', limit: limits.rumAddressMinute, windowS: 60, keyOf: asker => asker.address },
  ])
  const subscription = new Budget([
    { name: 'subscription-hour', limit: limits.subscriptionHour, windowS: 3600, keyOf: asker => asker.address },
  ])

  const addressOf = readClientAddress(context)
  const askerOf = (credential: number | string, request: Asking): Asker => ({
    credential,
    address: addressBlock(addressOf(request)),
  })
  const count = (budget: Budget, credential: number | string, request: FastifyRequest, reply: FastifyReply) => {
    if (budget.policies.length === 0) return
    const asker = askerOf(credential, request)
    const standing = budget.take(asker, context.now())
    if (standing === undefined) return
    sayStanding(reply, standing, budget)
    if (!standing.allowed) throw exceeded(standing)
    request.setDecorator<Counted>('counted', { budget, asker })
  }
  const counts: Counts = {
    user: (request, reply, caller) =>
      caller.session === undefined
        ? count(token, caller.as, request, reply)
        : count(session, caller.session.hash, request, reply),
    session: (request, reply, caller) => count(session, caller.session.hash, request, reply),
    probe: (request, reply, caller) => count(probe, caller.probe_id, request, reply),
    anonymous: (request, reply) => count(anonymous, 0, request, reply),
    visitor(request, held) {
      if (anonymous.policies.length === 0) return []
      const asker = askerOf(0, request)
      const standing = anonymous.take(asker, context.now())
      if (standing?.allowed !== true) return undefined
      if (!held) return standingHeaders(standing, anonymous).flat()
      anonymous.giveBack(asker, context.now())
      return []
    },
    login: (request, reply) => count(login, 0, request, reply),
    registration: (request, reply) => count(registration, 0, request, reply),
    rum: (request, reply, { id }) => count(rum, id, request, reply),
    subscription: (request, reply) => count(subscription, 0, request, reply),
    attempt(reply, email) {
      const asker = { credential: email, address: '' }
      const now = context.now()
      const standing = account.take(asker, now)
      if (standing?.allowed !== false) return () => account.giveBack(asker, now)
      sayStanding(reply, standing, account)
      throw exceeded(standing)
    },
  }

  app.decorateRequest('counted', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) counts.anonymous(request, reply)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 304 && namesTags(request.headers['if-none-match'])) uncount(request, reply, context.now())
    done(null, payload)
  })
  return counts
}

function sayStanding(reply: FastifyReply, standing: Standing, budget: Budget): void {
  for (const [name, value] of standingHeaders(standing, budget)) reply.header(name, value)
}

function standingHeaders({ policy, remaining, resetAt, resetInS }: Standing, budget: Budget): [string, string][] {
  return [
    ['x-ratelimit-limit', String(policy.limit)],
    ['x-ratelimit-remaining', String(remaining)],
    ['x-ratelimit-reset', String(resetAt)],
    // The IETF draft's structured fields: what there is to know of every limit, and of the nearest how it stands.
    ['ratelimit', `"${policy.name}";r=${remaining};t=${resetInS}`],
    ['ratelimit-policy', budget.policies.map(sayPolicy).join(', ')],
  ]
}

const sayPolicy = (policy: Policy): string => `"${policy.name}";q=${policy.limit};w=${policy.windowS}`

const windows: Record<number, string> = { 60: 'minute', 900: '15 minutes', 3600: 'hour' }

function exceeded({ policy, resetInS }: Standing): ApiError {
  const window = windows[policy.windowS] ?? `${policy.windowS} s`
  const message = `Rate limit exceeded: ${policy.limit} per ${window}`
  return new ApiError('rate_limit_exceeded', message, { retryAfter: resetInS })
}

/** "Nothing has changed" costs next to nothing, and whoever asks like that shall not be worse off for it. */
function uncount(request: FastifyRequest, reply: FastifyReply, now: number): void {
  const counted = request.getDecorator<Counted | null>('counted')
  if (counted === null) return
  counted.budget.giveBack(counted.asker, now)
  for (const name of rateLimitHeaders) reply.removeHeader(name)
}
