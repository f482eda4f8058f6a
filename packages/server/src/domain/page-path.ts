/** What belongs to a page, below its own address. */
const ofPage =
  /^(feed\.(rss|atom|json)|summary\.json|api\/v2\/(summary|status)\.json|badge\/[a-z]+\.svg|widget|card\.(svg|png)|logo|history|subscribe)$/

/**
 * The path of what is asked for under a page's own host name: its root is the page. Anything else is what it is under
 * every host name.
 */
export function pagePath(slug: string, url: string): string {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? '' : url.slice(at)
  if (path === '/') return `/status/${slug}${query}`
  return ofPage.test(path.slice(1)) ? `/status/${slug}${path}${query}` : url
}

/** An address that was typed with a slash at its end is that of the page, too. */
export const withoutSlash = (url: string): string => url.replace(/^(\/status\/[\w-]+)\/(?=$|\?)/, '$1')

/** Where people find a page: under its own host name if it has one. */
export function pageUrl(
  siteUrl: string,
  { slug, custom_domain }: { slug: string; custom_domain: string | null },
): string {
  return custom_domain === null ? `${siteUrl}/status/${slug}` : `https://${custom_domain}/`
}
