import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as browsers, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { Person } from '../people.ts'
import { eventually, World } from '../world.ts'

const apps = '/api/observability/apps'

interface Told {
  type: string
  url: string
  session_id: string
  navigation_type?: string
  name?: string
  message?: string
  id: string
  trace_id?: string
  target?: string
  data?: object
  request_url?: string
}

// A real page in a real browser, with the script as it is built and served.
let world: World
let owner: Person
let browser: Browser
let shop: Server
/** Between the page and our server: what a beacon carries no browser tells. */
let wire: Server
let endpoint: string
let site: string
let app: { id: number; api_key: string }
let context: BrowserContext
/** Headers of requests to the page's own server. */
let traceparents: (string | undefined)[]
let told: Told[]
let options = ''
let example = ''

beforeAll(async () => {
  world = await World.create()
  await world.server()
  owner = new Person(world, world.credentials.api_token)
  shop = createServer((request, response) => {
    if (request.url === '/api') {
      traceparents.push(request.headers.traceparent as string | undefined)
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    response.writeHead(200, { 'content-type': 'text/html' })
    if (request.url === '/example') return response.end(example)
    response.end(`<!doctype html><title>Shop</title><h1>Shop ${request.url}</h1><button id="buy">Buy</button>
      <a href="/other">other</a>
      <script src="${world.url}/rum/v1.js" data-api-key="${app.api_key}" data-endpoint="${endpoint}" ${options}></script>`)
  })
  wire = createServer(async (request, response) => {
    const body = await text(request)
    if (body !== '') told.push(...JSON.parse(body))
    const { origin = '', 'content-type': type = '', 'user-agent': agent = '' } = request.headers
    const headers = { origin, 'content-type': type, 'user-agent': agent }
    const answer = await fetch(world.url + request.url, { method: 'POST', headers, body })
    const allowed = answer.headers.get('access-control-allow-origin')
    response.writeHead(answer.status, allowed === null ? {} : { 'access-control-allow-origin': allowed })
    response.end(await answer.text())
  })
  const listen = async (server: Server) => {
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  ;[site, endpoint] = await Promise.all([listen(shop), listen(wire)])
  browser = await browsers.launch({
    executablePath: await chromium.executablePath(),
    // Without the package's own flags: they switch off what is tested here, origins and processes of their own.
    args: ['--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    headless: true,
  })
})
afterAll(async () => {
  await browser?.close()
  await world?.close()
  shop?.close()
  wire?.close()
})

beforeEach(async () => {
  traceparents = []
  told = []
  options = ''
  app = (await owner.post(apps, { name: 'Shop', allowed_origins: [site] })).body.data
  context = await browser.newContext()
})
afterEach(() => context.close())

/** A page load is told of once it is over, a moment after what goto waits for. */
const loaded = (page: Page) => page.evaluate(() => new Promise(resolve => setTimeout(resolve, 50)))
const open = async (path = '/') => {
  const page = await context.newPage()
  await page.goto(site + path)
  await loaded(page)
  return page
}
/** With what goes wrong in it. */
const openWatched = async (path: string) => {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  await page.goto(site + path)
  return { page, faults }
}
/** What the page is put away for. */
const leave = (page: Page) => page.goto('about:blank')
const rum = async (what: string) => (await owner.get(`${apps}/${app.id}/rum/${what}`)).body.data
const used = async () => {
  const { quotas } = (await owner.get(`${apps}/${app.id}/usage`)).body
  return { sessions: quotas.rum_sessions.used, events: quotas.rum_events.used }
}
const sent = (type: string) => told.filter(event => event.type === type)
const loads = async (count: number) =>
  eventually(`${count} page loads are there`, async () => {
    const pages: { count: number; page: string }[] = await rum('pages')
    return pages.reduce((sum, page) => sum + page.count, 0) === count && pages
  })

test('a visit: load, reload, another page, a second tab, all of one session, without a cookie', async () => {
  const page = await open()
  await page.reload()
  await loaded(page)
  await page.goto(`${site}/other?token=hunter2#x`)
  await loaded(page)
  const tab = await open('/tab')
  await tab.evaluate(() => {
    const busy = () => {
      const until = performance.now() + 60
      while (performance.now() < until);
    }
    document.querySelector('#buy')?.addEventListener('click', busy)
  })
  await tab.click('#buy')
  await tab.waitForTimeout(100)
  await Promise.all([leave(page), leave(tab)])
  const pages = await loads(4)
  expect(pages.map(each => [each.page.replace(site, ''), each.count]).toSorted()).toEqual([
    ['/', 2],
    ['/other', 1],
    ['/tab', 1],
  ])
  expect((await used()).sessions).toBe(1)
  const [visit] = await rum('sessions')
  expect(visit).toMatchObject({ page_count: 4, error_count: 0, device: 'bot' })
  expect(await context.cookies()).toEqual([])
  expect(JSON.stringify(told)).not.toContain('hunter2')
  await eventually('all vitals are there', async () => {
    const vitals: { name: string }[] = await rum('vitals')
    return new Set(vitals.map(({ name }) => name)).size === 5
  })
})

test('navigations of the page itself are page loads of the same visit', async () => {
  const page = await open()
  await page.evaluate(() => history.pushState(null, '', '/cart'))
  await page.evaluate(() => history.replaceState(null, '', '/cart?step=2'))
  await page.evaluate(() => history.pushState(null, '', '/paid'))
  await page.goBack()
  await loaded(page)
  await leave(page)
  const pages = await loads(4)
  expect(pages.map(each => [each.page.replace(site, ''), each.count]).toSorted()).toEqual([
    ['/', 1],
    ['/cart', 2],
    ['/paid', 1],
  ])
  expect((await used()).sessions).toBe(1)
})

test('a page out of the back-forward cache is seen again, with vitals of its own', async () => {
  const page = await open()
  await page.waitForTimeout(300)
  await page.evaluate(() => Object.assign(window, { alive: true }))
  await page.goto(`${site}/other`)
  await page.goBack()
  // The headless shell keeps no page; then it is told what it would have been told.
  if (!(await page.evaluate(() => 'alive' in window))) {
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  }
  await page.waitForTimeout(300)
  await leave(page)
  await eventually('it was seen again', async () =>
    sent('page_load').some(event => event.navigation_type === 'back-forward-cache'),
  )
  await eventually('it is kept', async () => {
    const [visit] = await rum('sessions')
    return visit.page_count === sent('page_load').length
  })
  expect((await used()).sessions).toBe(1)
  const ids = sent('web_vital')
    .filter(({ name }) => name === 'TTFB')
    .map(({ id }) => id)
  expect(new Set(ids).size).toBeGreaterThan(1)
})

test('what happened offline arrives once the network is back, once', async () => {
  const page = await open()
  await page.waitForTimeout(300)
  await context.setOffline(true)
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('offline 1')
    })
  })
  await page.evaluate(() =>
    Promise.reject(new Error('offline 2')).catch(error => setTimeout(() => Promise.reject(error))),
  )
  // The queue tries, fails and waits.
  await page.waitForTimeout(6000)
  await context.setOffline(false)
  const errors = await eventually('both errors are there', async () => {
    const found: { message: string; count: number }[] = await rum('errors')
    return found.length === 2 && found
  })
  expect(errors.map(({ message, count }) => [message, count]).toSorted()).toEqual([
    ['offline 1', 1],
    ['offline 2', 1],
  ])
  await leave(page)
})

test('put away, a page sends what it has at once: clicks, requests with a trace, lines of the console, errors once', async () => {
  options = 'data-clicks data-console data-network data-trace-propagation'
  const page = await open()
  await page.waitForTimeout(300)
  await page.click('#buy')
  await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noConsole: it is what is watched
    console.warn('careful', 'ada@example.com')
    // biome-ignore lint/suspicious/noConsole: it is what is watched
    console.error(Symbol('no text'))
    await fetch('/api')
    const refused = fetch('http://')
    await refused.catch(() => undefined)
    for (const _ of [1, 2, 3]) setTimeout(() => Promise.reject(new Error('the same')))
  })
  await page.waitForTimeout(300)
  expect(sent('click')).toEqual([])
  await leave(page)
  await eventually('all of it is kept', async () => (await rum('errors')).length === 1)
  expect(sent('click')).toMatchObject([{ target: 'button#buy' }])
  expect(sent('console')).toMatchObject([{ level: 'warn' }])
  expect(sent('error')).toHaveLength(1)
  const [request] = sent('network').filter(event => event.request_url === `${site}/api`)
  expect(traceparents).toHaveLength(1)
  expect(traceparents[0]).toMatch(new RegExp(`^00-${request?.trace_id}-[0-9a-f]{16}-01$`))
  // From the visit there is a way to that trace.
  const visit = await rum(`sessions/${request?.session_id}`)
  expect(visit.events).toContainEqual(
    expect.objectContaining({ request_url: `${site}/api`, status: 200, trace_id: request?.trace_id }),
  )
  // Whatever was sent was kept and counted: nothing is asked of the answer to a beacon.
  const counted = told.filter(({ type }) => type !== 'session_start')
  await eventually('it is counted', async () => (await used()).events === new Set(counted.map(({ id }) => id)).size)
})

test('a visitor who asks not to be tracked is left alone, and so is one who was not chosen', async () => {
  await context.addInitScript(() =>
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true, configurable: true }),
  )
  const page = await open()
  await leave(page)
  options = 'data-sample-rate="0" data-ignore-privacy-signals'
  const other = await open()
  await leave(other)
  await other.waitForTimeout(500)
  expect(told).toEqual([])
  expect(await used()).toEqual({ sessions: 0, events: 0 })
})

test('a page that is not on the list is refused, and goes on without a word', async () => {
  await owner.patch(`${apps}/${app.id}`, { allowed_origins: ['https://shop.example.com'] })
  const page = await open()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  await page.evaluate(() => (window as unknown as { WatchpostRum: { flush(): void } }).WatchpostRum.flush())
  await page.waitForTimeout(500)
  await leave(page)
  expect(faults).toEqual([])
  expect(await used()).toEqual({ sessions: 0, events: 0 })
})

test('the example works as it stands, but for address and key', async () => {
  const written = await readFile(new URL('../../examples/rum/index.html', import.meta.url), 'utf8')
  const [address, key] = ['http://127.0.0.1:8080', "apiKey: 'wp_rum_…'"]
  expect(written).toContain(`${address}/rum/v1.js`)
  expect(written).toContain(key)
  example = written.replace(address, world.url).replace(key, `apiKey: '${app.api_key}', endpoint: '${endpoint}'`)
  const page = await context.newPage()
  await page.goto(`${site}/example`)
  await loaded(page)
  for (const name of ['error', 'route', 'event']) await page.click(`#${name}`)
  await loaded(page)
  await leave(page)
  await loads(2)
  expect(sent('error')).toMatchObject([{ message: 'A button was pressed' }])
  expect(sent('custom')).toMatchObject([{ name: 'pressed', url: `${site}/page-1` }])
  expect(sent('click')).toHaveLength(3)
})

test('what is sent goes by beforeSend, whose mistakes do not reach the page, and what is too large keeps nothing back', async () => {
  example = `<!doctype html><title>Shop</title><script src="${world.url}/rum/v1.js"></script><script>
    window.rum = WatchpostRum.init({ apiKey: '${app.api_key}', endpoint: '${endpoint}', beforeSend(event) {
      if (event.name === 'secret') return null
      if (event.name === 'broken') throw new Error('a mistake of the page')
      return { ...event, message: event.message && event.message.replace('Ada', 'somebody') }
    } })</script>`
  const { page, faults } = await openWatched('/example')
  await page.evaluate(() => {
    const { rum } = window as unknown as { rum: Record<string, (...given: unknown[]) => void> }
    rum.track?.('secret')
    rum.track?.('broken')
    rum.track?.('large', { text: '語'.repeat(40_000) })
    rum.error?.(new Error('Ada has no money'))
    rum.track?.('after')
    rum.flush?.()
  })
  await eventually(
    'what came after is there',
    async () => (await rum('errors')).length === 1 && sent('custom').length > 1,
  )
  expect(sent('custom').map(({ name }) => name)).toEqual(['large', 'after'])
  expect(sent('error')).toMatchObject([{ message: 'somebody has no money' }])
  expect(faults).toEqual([])
})

test('whatever is thrown or reported, the script neither fails nor falls silent', async () => {
  example = `<!doctype html><title>Shop</title><script src="${world.url}/rum/v1.js"></script><script>
    window.rum = WatchpostRum.init({ apiKey: '${app.api_key}', endpoint: '${endpoint}' })</script>`
  const { page, faults } = await openWatched('/example')
  await page.evaluate(() => {
    const { rum } = window as unknown as { rum: Record<string, (...given: unknown[]) => void> }
    const circle: Record<string, unknown> = { amount: 10n }
    circle.self = circle
    rum.track?.('circle', circle)
    const changed = { items: 1 }
    rum.track?.('as it was', changed)
    changed.items = 2
    rum.error?.(new Error(`huge ${'x'.repeat(1_000_000)}`))
    const odd = [undefined, 'text', { code: 5 }, { name: 7, message: 'a name that is none' }, Symbol('sign')]
    const gone = Proxy.revocable({}, {})
    gone.revoke()
    for (const each of [...odd, Object.create(null), gone.proxy]) rum.error?.(each)
    for (let turn = 0; turn < 200; turn++) rum.error?.(new Error(`turn ${turn}`))
    rum.track?.('after')
    rum.flush?.()
  })
  await leave(page)
  const messages = await eventually('all errors are kept', async () => {
    const found: { message: string; count: number }[] = await rum('errors')
    return found.reduce((sum, { count }) => sum + count, 0) === 50 && found.map(({ message }) => message)
  })
  for (const message of [
    'undefined',
    'text',
    'Object {code}',
    'a name that is none',
    'Symbol(sign)',
    'Object {}',
    '[object Object]',
  ]) {
    expect(messages).toContain(message)
  }
  // Whether the last requests came through nobody tells a page that goes; what is sent again is known by its id.
  const customs = [...new Map(sent('custom').map(event => [event.id, event])).values()]
  expect(customs).toMatchObject([{ name: 'as it was', data: { items: 1 } }, { name: 'after' }])
  expect(faults).toEqual([])
})

test('begun twice it watches once; a page that moves on while it loads, or is left at once, is told of as it was', async () => {
  const begin = `WatchpostRum.init({ apiKey: '${app.api_key}', endpoint: '${endpoint.replace('http:', 'HTTP:')}/', network: true })`
  example = `<!doctype html><title>Shop</title><script src="${world.url}/rum/v1.js"></script><script>
    window.rum = ${begin}; history.replaceState(null, '', '/home')</script>
    <script src="${world.url}/rum/v1.js"></script><script>window.same = window.rum === ${begin}</script>`
  const page = await context.newPage()
  await page.goto(`${site}/example`)
  await loaded(page)
  expect(await page.evaluate(() => (window as unknown as { same: boolean }).same)).toBe(true)
  await page.evaluate(() => {
    ;(window as unknown as { rum: { flush(): void } }).rum.flush()
    setTimeout(() => Promise.reject(new Error('once')))
  })
  await eventually('it has sent', async () => told.length > 0)
  await loaded(page)
  await page.evaluate(() => {
    history.pushState(null, '', '/last')
    location.href = 'about:blank'
  })
  const pages = await loads(3)
  expect(pages.map(each => each.page.replace(site, '')).toSorted()).toEqual(['/example', '/home', '/last'])
  expect(sent('error')).toHaveLength(1)
  // What it sends itself is no request of the page's.
  expect(sent('network')).toEqual([])
})

test('the script is served under a name that stays, and one that never changes', async () => {
  const about = (await (await fetch(`${world.url}/rum/v1.json`)).json()) as Record<string, Record<string, string>>
  for (const [kind, file] of [
    ['script', 'v1.js'],
    ['module', 'v1.mjs'],
  ]) {
    const { url, integrity } = about[kind as string] as Record<string, string>
    const [plain, lasting] = await Promise.all([fetch(`${world.url}/rum/${file}`), fetch(world.url + url)])
    expect(lasting.headers.get('cache-control')).toContain('immutable')
    expect(plain.headers.get('cache-control')).not.toContain('immutable')
    expect(plain.headers.get('access-control-allow-origin')).toBe('*')
    expect(await lasting.text()).toBe(await plain.text())
    const again = await fetch(`${world.url}/rum/${file}`, {
      headers: { 'if-none-match': plain.headers.get('etag') as string },
    })
    expect(again.status).toBe(304)
    if (kind === 'module') continue
    // A browser runs it only if its bytes are those.
    const page = await context.newPage()
    await page.goto(`${site}/none`)
    const runs = await page.evaluate(
      ([src, hash]) =>
        new Promise(resolve => {
          const script = document.createElement('script')
          Object.assign(script, { src, integrity: hash, crossOrigin: 'anonymous' })
          script.onload = () => resolve(true)
          script.onerror = () => resolve(false)
          document.head.append(script)
        }),
      [world.url + url, integrity],
    )
    expect(runs).toBe(true)
  }
})
