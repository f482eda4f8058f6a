import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ApiError, type publicRoutes } from '@watchpost/contract'
import {
  type BadgeOptions,
  contentSecurityPolicy,
  type FeedKind,
  renderCard,
  renderCardPicture,
  renderFeed,
  renderHistory,
  renderStatusPage,
  renderWidget,
  type ShownPage,
  statusBadge,
  summaryOf,
  summaryStatus,
  uptimeBadge,
} from '@watchpost/status-page'
import type { Context } from '../context.ts'
import { pageUrl } from '../domain/page-path.ts'
import { entityTag } from '../http/etag.ts'
import type { Handlers, Page } from '../http/handler.ts'
import { pathId } from './ids.ts'
import { readHistory } from './incident-history.ts'
import { readUptime } from './public-uptime.ts'
import type { Published, PublishedPages } from './published-status.ts'

/** What a handler of a page is asked. */
type OfPage = { params: { slug: string }; context: Context }

/** Parts of a page's history that are drawn once; who goes further back has each drawn anew. */
const keptParts = 5

const notFound = () => new ApiError('not_found', 'Not found')

export function publicHandlers(pages: PublishedPages): Handlers<typeof publicRoutes> {
  const feed = (kind: FeedKind) => (ask: OfPage) =>
    made(pages, ask, `feed ${kind}`, (shown, { url, path }) => ({
      body: renderFeed(kind, shown, { page: url, feed: new URL(`${path}/feed.${kind}`, url).href }),
    }))
  const badge =
    (name: string, draw: (shown: ShownPage, options: BadgeOptions) => string | undefined) =>
    async ({ query, ...ask }: OfPage & { query: BadgeOptions }) => {
      // As many badges as labels: those are drawn each time, the usual ones once.
      const drawn = (shown: ShownPage) => {
        const body = draw(shown, query)
        if (body === undefined) throw notFound()
        return { body, headers: picture }
      }
      if (query.label === undefined) return made(pages, ask, `${name} ${query.monitor ?? ''}`, drawn)
      const published = await pages.get(ask.context, ask.params.slug)
      return finished(drawn(await published.shown()))
    }
  const summary = async ({ params, context }: OfPage) => {
    const published = await pages.get(context, params.slug)
    return summaryOf(await published.shown(), addressOf(context, published).url)
  }

  return {
    getStatus: async ({ params, context }) => (await pages.get(context, params.slug)).prepared,
    getStatusAlias: async ({ params, context }) => (await pages.get(context, params.slug)).prepared,
    async getUptime({ params, context }) {
      const id = pathId(params.id)
      const found = id === undefined ? undefined : await readUptime(context, id)
      if (found === undefined) throw notFound()
      return found
    },
    viewStatus: ask =>
      made(pages, ask, 'page', (shown, { url, path }) => {
        const now = new Date(ask.context.now())
        const subscribable = ask.context.config.mailServer !== undefined
        const { body, policy } = renderStatusPage(shown, { now, path, url, subscribable })
        return { body, headers: { 'content-security-policy': policy } }
      }),
    async viewHistory({ query: { page: number = 1 }, ...ask }) {
      const draw = async (shown: ShownPage, address: Address, { page }: Published) => {
        const part = await readHistory(ask.context, page, number, shown.monitors)
        if (part === undefined) throw notFound()
        const { body, policy } = renderHistory(shown, part, address)
        return { body, headers: { 'content-security-policy': policy } }
      }
      if (number <= keptParts) return made(pages, ask, `history ${number}`, draw)
      const published = await pages.get(ask.context, ask.params.slug)
      return finished(await draw(await published.shown(), addressOf(ask.context, published), published))
    },
    statusRss: feed('rss'),
    statusAtom: feed('atom'),
    statusJsonFeed: feed('json'),
    statusBadge: badge('status badge', statusBadge),
    uptimeBadge: badge('uptime badge', uptimeBadge),
    statusWidget: ask =>
      made(pages, ask, 'widget', (shown, { url }) => {
        const { body, policy } = renderWidget(shown, url)
        return { body, headers: { 'content-security-policy': policy } }
      }),
    statusCard: ask => made(pages, ask, 'card', shown => ({ body: renderCard(shown), headers: picture })),
    statusCardPicture: ask =>
      made(pages, ask, 'card picture', shown => ({
        body: renderCardPicture(shown),
        headers: picture,
        media: 'image/png',
      })),
    async statusLogo({ params, context }) {
      const { page } = await pages.get(context, params.slug)
      const [, media = '', data = ''] = /^data:([a-z+/]+);base64,(.*)$/.exec(page.logo ?? '') ?? []
      if (data === '') throw notFound()
      const body = Buffer.from(data, 'base64')
      const headers = { ...usual, ...picture, 'cache-control': 'public, max-age=86400' }
      return { body, headers, media, tag: entityTag(body) }
    },
    statusSummary: summary,
    statusSummaryAlias: summary,
    async statusWord({ params, context }) {
      const published = await pages.get(context, params.slug)
      return summaryStatus(await published.shown(), addressOf(context, published).url)
    },
  }
}

type Address = { url: string; path: string }

function addressOf(context: Context, { page }: Published): Address {
  return { url: pageUrl(context.siteUrl(), page), path: `/status/${page.slug}` }
}

const usual = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' }

/** A picture that is opened by itself is a document, and may hold scripts. */
const picture = {
  'content-security-policy': `${contentSecurityPolicy({ styles: [] })}; sandbox`,
  'cache-control': 'public, max-age=60',
  'cross-origin-resource-policy': 'cross-origin',
}

type Unfinished = Pick<Page, 'media'> & { body: string | Buffer; headers?: Record<string, string> }

/** What is made of a page for people, once after each change: written out, tagged and compressed. */
async function made(
  pages: PublishedPages,
  { params, context }: OfPage,
  what: string,
  make: (shown: ShownPage, address: Address, published: Published) => Unfinished | Promise<Unfinished>,
): Promise<Page> {
  const published = await pages.get(context, params.slug)
  const { made } = published
  const known = made.get(what)
  if (known !== undefined) return known
  const next = published
    .shown()
    .then(shown => make(shown, addressOf(context, published), published))
    .then(finished)
  made.set(what, next)
  // A failure is nobody's answer but theirs who met it.
  next.catch(() => made.delete(what))
  return next
}

const compress = promisify(gzip)

/** Written out, tagged and compressed. */
export async function finished({ body, headers = {}, ...rest }: Unfinished): Promise<Page> {
  const page = { ...rest, body, headers: { ...usual, ...headers }, tag: entityTag(body) }
  // A picture is compressed already.
  return typeof body === 'string' ? { ...page, gzip: await compress(body, { level: 9 }) } : page
}
