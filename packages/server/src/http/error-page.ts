import { hash } from 'node:crypto'
import type { ApiError } from '@watchpost/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

const style = `
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { display: grid; place-content: center; min-height: 90vh; margin: 0 1.5rem; text-align: center }
  h1 { margin: 0; font-size: 1.5rem }
  p { margin: .5rem 0; overflow-wrap: anywhere }
  a { color: light-dark(#1d4ed8, #9db8ff) }
`
const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** What programs ask for: they read the one shape of errors, whatever they accept. */
const ofPrograms = /^\/(v1|api)(\/|$)/

/** Whether a path that leads nowhere was asked for by a browser: whoever sits there can go on from a page. */
export function isAskedByPerson({ method, headers, url }: FastifyRequest): boolean {
  const reads = method === 'GET' || method === 'HEAD'
  return reads && /\btext\/html\b/.test(headers.accept ?? '') && !ofPrograms.test(url)
}

/** An error as people read it. @param wayOn whether the start page is offered */
export function sendErrorPage(reply: FastifyReply, error: ApiError, wayOn = false): FastifyReply {
  const why = wayOn ? 'Nothing is at this address' : error.message
  return reply
    .status(error.status)
    .headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff' })
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${error.status}</title>
<style>${style}</style>
<main>
<h1>${error.status}</h1>
<p>${why.replace(/[&<>]/g, '')}.</p>
${wayOn ? '<p><a href="/">Go to the start page</a></p>\n' : ''}</main>
</html>
`)
}
