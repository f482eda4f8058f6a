import { ApiError, type Role } from '@watchpost/contract'
import { sessionByHash } from '@watchpost/store'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { isCrossOrigin, isSameOrigin, type Provenance } from '../domain/same-origin.ts'
import { isWorthNoting, sessionEnd } from '../domain/session.ts'
import type { LoggedIn, SessionCaller, Visitor } from '../http/handler.ts'
import type { Counts } from '../http/rate-limit.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import { csrfToken, hashToken, isSameSecret } from '../secrets.ts'

/** How people come in, and what is asked of a browser that has a cookie. */
export interface SessionDoor {
  /** Whoever is logged in, read anew each time: logged out or removed means refused at once, on every replica. */
  read(request: FastifyRequest): Promise<LoggedIn | undefined>
  session(request: FastifyRequest, reply: FastifyReply): Promise<SessionCaller>
  visitor(request: FastifyRequest, reply: FastifyReply): Promise<Visitor>
  /** @throws {ApiError} forbidden unless a page of this site sent the write, and says the token of its log-in */
  guardWrite(request: FastifyRequest, session: LoggedIn): void
  /** @throws {ApiError} forbidden where a browser says that a page of another site sent it */
  guardEntry(request: FastifyRequest): void
}

export function sessionDoor(context: Context, counts: Pick<Counts, 'attempt'>): SessionDoor {
  const cookie = sessionCookie(context)
  const publicHost = context.config.publicUrl === undefined ? [] : [new URL(context.config.publicUrl).host]
  const from = ({ headers }: FastifyRequest): Provenance => ({
    fetchSite: one(headers['sec-fetch-site']),
    origin: headers.origin,
    hosts: [headers.host ?? '', ...publicHost],
  })
  const mayWrite = (request: FastifyRequest, session: LoggedIn) =>
    isSameOrigin(from(request)) && isSameSecret(one(request.headers['x-csrf-token']) ?? '', session.csrf)

  const read: SessionDoor['read'] = async request => {
    const token = cookie.read(request)
    if (token === undefined || !/^wp_session_[\w-]{43}$/.test(token)) return undefined
    const row = await context.db.one(sessionByHash, { hash: hashToken(token) })
    const now = context.now()
    if (row === undefined || row.expires_at <= now) return undefined
    const { seen_at, ...session } = row
    if (isWorthNoting(seen_at, now)) {
      session.expires_at = sessionEnd(row.created_at, now)
      context.seen.session(row.hash, now, session.expires_at)
    }
    return { ...session, role: session.role as Role, csrf: csrfToken(token) }
  }
  const visitorOf = (request: FastifyRequest, reply: FastifyReply, session: LoggedIn | undefined): Visitor => {
    // What it answers is for one person, and holds secrets of theirs.
    reply.header('cache-control', 'no-store')
    return {
      session,
      previous: session?.hash,
      cookie: cookie.of(request, reply),
      attempt: email => counts.attempt(reply, email),
    }
  }
  return {
    read,
    async session(request, reply) {
      const session = await read(request)
      const visitor = visitorOf(request, reply, session)
      if (session !== undefined) return { ...visitor, session }
      if (cookie.read(request) !== undefined) visitor.cookie.clear()
      throw new ApiError('unauthorized', 'Unauthorized: nobody is logged in')
    },
    async visitor(request, reply) {
      const session = await read(request)
      const visitor = visitorOf(request, reply, session)
      // To come in one needs no log-in; one that is there counts only if the page proves to be ours.
      return session === undefined || mayWrite(request, session) ? visitor : { ...visitor, session: undefined }
    },
    guardWrite(request, session) {
      if (!isSameOrigin(from(request))) throw elsewhere()
      if (!mayWrite(request, session)) {
        throw new ApiError('forbidden', 'X-CSRF-Token is missing or not the csrf_token of GET /api/session')
      }
    },
    guardEntry(request) {
      if (isCrossOrigin(from(request))) throw elsewhere()
    },
  }
}

function elsewhere(): ApiError {
  return new ApiError(
    'forbidden',
    'Only pages of this site may do this; behind a proxy that changes Host, set WATCHPOST_PUBLIC_URL',
  )
}

const one = (header: string | string[] | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)
