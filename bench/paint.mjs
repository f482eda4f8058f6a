// A status page in a real browser, for those who come for the first time: when something is seen, beside a page of the same
// bytes of which only a heading is shown; style and layout so far, and how many nodes there are.
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'
import { flags, median, ours, spread, table } from './lib.mjs'

const given = flags({ rounds: 21, monitors: '5,8,10,20,50', days: 90, layout: 'modern-light' })
const [rounds, days] = [Number(given.rounds), Number(given.days)]
const sizes = given.monitors.split(',').map(Number)
const product = await ours({ monitors: Math.max(...sizes), seed: seedPages })
const pages = []
for (const size of sizes) {
  const url = `${product.url}/status/page-${size}`
  const body = await (await fetch(url)).text()
  pages.push({
    size,
    url,
    path: `/${size}`,
    body,
    ...floorOf(body),
    ours: [],
    floor: [],
    style: [],
    layout: [],
    nodes: 0,
  })
}
const floor = createServer((request, response) => {
  const { packed } = pages.find(({ path }) => path === request.url) ?? {}
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' }
  response.writeHead(packed === undefined ? 404 : 200, packed === undefined ? {} : headers).end(packed)
}).listen(0, '127.0.0.1')
await new Promise(resolve => floor.once('listening', resolve))
const browser = await playwright.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--disable-gpu'],
})
for (let round = 0; round <= rounds; round++) {
  for (const page of pages) {
    const [bare, seen] = [await visit(`http://127.0.0.1:${floor.address().port}${page.path}`), await visit(page.url)]
    // The first round warms up.
    if (round === 0) continue
    page.floor.push(bare.painted)
    page.ours.push(seen.painted)
    page.style.push(seen.style)
    page.layout.push(seen.layout)
    page.nodes = seen.nodes
  }
}
table(
  [
    'monitors',
    'kB as gzip',
    'first paint, ms',
    'spread',
    'the same bytes, bare',
    'spread',
    'style ms',
    'layout ms',
    'nodes',
  ],
  pages.map(({ size, packed, ours, floor, style, layout, nodes }) => [
    size,
    (packed.length / 1000).toFixed(1),
    Math.round(median(ours)),
    spread(ours),
    Math.round(median(floor)),
    spread(floor),
    median(style).toFixed(1),
    median(layout).toFixed(1),
    nodes,
  ]),
)
await browser.close()
floor.close()
await product.close()

/** A page as heavy as ours, of which nearly all is a comment. */
function floorOf(body) {
  const text = `<!doctype html><html lang="en"><title>Acme</title><h1>Acme</h1><!--${body.replaceAll('-', '_')}--></html>`
  return { packed: gzipSync(text, { level: 9 }) }
}

/** Nothing is kept of an earlier look. */
async function visit(url) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(url)
  const painted = await page.evaluate(
    () =>
      new Promise(tell => {
        new PerformanceObserver(list => {
          for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') tell(startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
  const { metrics } = await session.send('Performance.getMetrics')
  const of = name => metrics.find(each => each.name === name).value
  await context.close()
  return { painted, style: of('RecalcStyleDuration') * 1000, layout: of('LayoutDuration') * 1000, nodes: of('Nodes') }
}

/** A page of each size: three groups, some days that went badly, an incident that is over. */
function seedPages(db, monitors) {
  const theme = JSON.stringify({ primary_color: '#4f46e5', layout: given.layout })
  const page =
    db.prepare(`insert into status_pages (team_id, id, slug, title, description, is_public, language, show_history_days,
    theme, version, created_at, updated_at) values (1, @id, @slug, 'Acme status', 'What we run.', 1, 'en', @days, @theme, 1, 0, 0)`)
  const assign =
    db.prepare(`insert into page_monitors (team_id, page_id, monitor_id, group_name, order_index, show_uptime,
    show_response_time) values (1, ?, ?, ?, 0, 1, 1)`)
  const day = db.prepare('insert into rollups values (? * 4 + 2, ?, ?, ?, 0, 0, 1000000, 1440)')
  const today = Math.floor(Date.now() / 86_400_000)
  for (const size of sizes) {
    page.run({ id: size, slug: `page-${size}`, days, theme })
    for (let id = 1; id <= size; id++) assign.run(size, id, `Group ${id % 3}`)
  }
  for (let id = 1; id <= monitors; id++) {
    for (let ago = 0; ago < days; ago++) {
      const down = (id * 31 + ago * 17) % 41 === 0 ? 20 + ago : 0
      day.run(id, today - ago, 1440 - down, down)
    }
  }
}
