import type { FastifyInstance } from 'fastify'

/** The root of the site: a newcomer who opens the address in a browser is told what to do next. */
export function registerSite(app: FastifyInstance): void {
  app.get('/', async (request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
    return reply.type('text/html; charset=utf-8').send(welcome(`${request.protocol}://${request.host}`))
  })
}

function welcome(url: string): string {
  const address = url.replace(/[&<>"']/g, '')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Watchpost</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif }
  body { max-width: 44rem; margin: 4rem auto; padding: 0 1.5rem }
  h1 { font-size: 1.6rem; margin: 0 }
  pre { padding: 1rem; border: 1px solid #8884; border-radius: 8px; overflow-x: auto }
  p { margin: 1.25rem 0 .5rem }
</style>
<h1>Watchpost is running</h1>
<p>Use the API token that the first start printed:</p>
<pre>export WATCHPOST_URL=${address}
export WATCHPOST_TOKEN=wp_api_…</pre>
<p>Watch something, and see it come online:</p>
<pre>bin/monitorctl monitors create --name Example --type https --target https://example.com
bin/monitorctl monitors watch</pre>
<p>Show it to others at <code>${address}/status/acme</code>:</p>
<pre>bin/monitorctl status-pages create --slug acme --title "Acme status"
bin/monitorctl status-pages assign 1 1</pre>
<p>The API is described in <a href="/docs">/docs</a>, and for programs in <a href="/openapi.json">/openapi.json</a>.</p>
</html>
`
}
