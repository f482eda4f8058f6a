import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { addressIn, clientAddress } from '../domain/client-address.ts'
import type { Visitor } from './handler.ts'

/** The browser sends it to nobody else, takes it from nobody else, and shows it to no script. */
const secureName = '__Host-watchpost'
/** That prefix cannot be had over plain http. */
const plainName = 'watchpost'

/** Reads and writes the cookie of a log-in. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined
  of(request: FastifyRequest, reply: FastifyReply): Visitor['cookie']
}

/** @returns how this server keeps log-ins in browsers; whether one came by https is said by a proxy only if we trust it */
export function sessionCookie(context: Pick<Context, 'config' | 'now'>): SessionCookie {
  const { publicUrl, trustedProxies } = context.config
  const isTrusted = addressIn(trustedProxies)
  const publicIsSecure = publicUrl?.startsWith('https:') ?? false

  const isSecure = ({ socket, headers }: FastifyRequest): boolean => {
    if (publicIsSecure || 'encrypted' in socket) return true
    const protocol = [headers['x-forwarded-proto']].flat().at(-1)?.split(',').at(-1)?.trim()
    return protocol === 'https' && isTrusted(clientAddress(socket.remoteAddress ?? '', undefined, isTrusted))
  }
  const write = (request: FastifyRequest, reply: FastifyReply, value: string, maxAgeS: number) => {
    const secure = isSecure(request)
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeS}${secure ? '; Secure' : ''}`
    reply.header('set-cookie', `${secure ? secureName : plainName}=${value}; ${attributes}`)
  }
  return {
    read: request => cookieNamed(request.headers.cookie, isSecure(request) ? secureName : plainName),
    of: (request, reply) => ({
      set: (token, expiresAt) => write(request, reply, token, Math.ceil((expiresAt - context.now()) / 1000)),
      clear: () => write(request, reply, '', 0),
    }),
  }
}

function cookieNamed(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
