import type { previewRoutes } from '@watchpost/contract'
import { renderStatusPage } from '@watchpost/status-page'
import { pageUrl } from '../domain/page-path.ts'
import { found, type Handlers } from '../http/handler.ts'
import { finished } from './public.ts'
import { findPage, pageColumns } from './status-pages.ts'
import { readPage } from './status-payload.ts'

export const previewHandlers: Handlers<typeof previewRoutes> = {
  previewStatusPage: found({
    find: findPage,
    async handle({ body, context }, page) {
      const draft = { ...page, ...pageColumns(body, page) }
      const { shown } = await readPage(context, draft)
      const { body: drawn, policy } = renderStatusPage(
        // The logo's own address shows the one that was saved.
        { ...(await shown()), logo: draft.logo },
        {
          now: new Date(context.now()),
          path: `/status/${draft.slug}`,
          url: pageUrl(context.siteUrl(), draft),
          subscribable: context.config.mailServer !== undefined,
        },
      )
      const headers = { 'content-security-policy': policy, 'cache-control': 'private, no-store' }
      return finished({ body: drawn, headers })
    },
  }),
}
