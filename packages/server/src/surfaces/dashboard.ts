import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasTeam } from '../bootstrap.ts'
import type { Context } from '../context.ts'
import { entityTag } from '../http/etag.ts'
import { sendTagged } from '../http/reply.ts'
import type { RouteConfig } from '../http/route-config.ts'

/** What the browser application may do: nothing that is not ours, and no script or style that is written into a page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const media: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const config: RouteConfig = { produces: 'text/html' }

/**
 * The dashboard: files that were built beside this program, read once. Their names hold their digests, so browsers keep
 * them for good; the page that names them is asked for anew each time.
 * @param directory where they are
 */
export function registerDashboard(app: FastifyInstance, context: Context, directory: string): void {
  const index = join(directory, 'index.html')
  const page = existsSync(index) ? readFileSync(index, 'utf8') : undefined
  const files = page === undefined ? new Map<string, Buffer>() : readAssets(join(directory, 'assets'))

  app.get('/app/assets/:name', { config }, async (request, reply) => {
    const { name } = request.params as { name: string }
    const type = media[name.split('.').at(-1) ?? '']
    const plain = files.get(name)
    if (type === undefined || plain === undefined) return reply.callNotFound()
    reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
    reply.headers({ 'content-type': type, 'x-content-type-options': 'nosniff' })
    const coded = codingFor(request, name, files)
    if (coded === undefined) return reply.send(plain)
    return reply.header('content-encoding', coded.coding).send(coded.bytes)
  })

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    if (page === undefined) return reply.type('text/plain; charset=utf-8').send('Not built yet: npm run build\n')
    // Known before anybody is logged in: whether strangers may register, and whether there is anybody at all.
    const setUp = (await hasTeam(context.db)) ? 'done' : 'none'
    const told = page.replace(
      '<html ',
      `<html data-registration="${context.config.registration}" data-set-up="${setUp}" `,
    )
    return sendTagged(request, reply, told, entityTag(told), 'text/html')
  }
  // An invitation's link was made before there was a dashboard, and stays as it is.
  for (const path of ['/app', '/app/*', '/invitation']) app.get(path, { config }, sendPage)
}

function readAssets(directory: string): Map<string, Buffer> {
  return new Map(readdirSync(directory).map(name => [name, readFileSync(join(directory, name))]))
}

/** The smallest of what the browser can read. */
function codingFor(request: FastifyRequest, name: string, files: Map<string, Buffer>) {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  for (const [coding, ending] of [['br', 'br'] as const, ['gzip', 'gz'] as const]) {
    const bytes = files.get(`${name}.${ending}`)
    if (bytes !== undefined && new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted)) {
      return { coding, bytes }
    }
  }
  return undefined
}
