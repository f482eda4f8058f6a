import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { entityTag } from '../http/etag.ts'
import { sendTagged } from '../http/reply.ts'

/** Beside what is shipped, or what was built of the sources. */
const places = ['./', '../../../../dist/'].map(place => new URL(place, import.meta.url))

interface Built {
  body: Buffer
  packed: Buffer
  tag: string
  packedTag: string
  /** Names these very bytes. */
  name: string
  integrity: string
}

/**
 * What visitors' browsers load: under a name that stays, and under one that names the very bytes and never changes. Not counted:
 * whoever looks at a page must not use up anything.
 */
export function registerRumScript(app: FastifyInstance): void {
  const about: Record<string, { url: string; integrity: string }> = {}
  for (const [kind, extension] of Object.entries({ script: 'js', module: 'mjs' })) {
    const built = read(`rum.${extension}`)
    if (built === undefined) continue
    const lasting = `/rum/v1.${built.name}.${extension}`
    about[kind] = { url: lasting, integrity: built.integrity }
    app.get(`/rum/v1.${extension}`, async (request, reply) =>
      serve(request, reply.header('cache-control', 'public, max-age=3600, stale-while-revalidate=86400'), built),
    )
    app.get(lasting, async (request, reply) =>
      serve(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), built),
    )
  }
  const text = JSON.stringify(about)
  app.get('/rum/v1.json', async (request, reply) => {
    reply.header('cache-control', 'no-cache')
    return sendTagged(request, reply, text, entityTag(text))
  })
}

function serve(request: FastifyRequest, reply: FastifyReply, { body, packed, tag, packedTag }: Built): FastifyReply {
  reply.header('vary', 'Accept-Encoding').header('cross-origin-resource-policy', 'cross-origin')
  reply.header('x-content-type-options', 'nosniff')
  const isPacked = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  if (isPacked) reply.header('content-encoding', 'gzip')
  return sendTagged(request, reply, isPacked ? packed : body, isPacked ? packedTag : tag, 'text/javascript')
}

function read(file: string): Built | undefined {
  const path = places.map(place => new URL(file, place)).find(url => existsSync(url))
  if (path === undefined) return undefined
  const body = readFileSync(path)
  const digest = createHash('sha384').update(body).digest('base64')
  const name = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const packed = gzipSync(body, { level: 9 })
  const tags = { tag: entityTag(body), packedTag: entityTag(packed) }
  return { body, packed, ...tags, name, integrity: `sha384-${digest}` }
}
