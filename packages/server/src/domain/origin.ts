/**
 * An entry of an allow-list in its one spelling, as browsers write origins: scheme, host and port, no more.
 * @returns undefined for what is none; `https://*.example.com` stands for every subdomain
 */
export function parseAllowedOrigin(text: string): string | undefined {
  const [, scheme, rest] = /^(https?:\/\/)\*\.(.+)$/i.exec(text) ?? []
  if (scheme === undefined || rest === undefined) return parseOrigin(text)
  const base = parseOrigin(scheme + rest)
  if (base === undefined) return undefined
  const { protocol, host, hostname } = new URL(base)
  // Of an address there are no subdomains, and whoever means a whole top-level domain means any page.
  if (!hostname.includes('.') || isAddress(hostname)) return undefined
  return `${protocol}//*.${host}`
}

/** Whether pages of an origin may send: any where nothing is listed (ruling 30). Origins are compared, never their text. */
export function mayUse(allowed: readonly string[], header: string | undefined): boolean {
  if (allowed.length === 0) return true
  const origin = header === undefined ? undefined : parseOrigin(header)
  if (origin === undefined) return false
  if (allowed.includes(origin)) return true
  const { protocol, host, hostname } = new URL(origin)
  if (isAddress(hostname)) return false
  const labels = host.split('.')
  // shop.eu.example.com is one of *.eu.example.com, *.example.com and *.com.
  return labels.slice(1).some((_, index) => allowed.includes(`${protocol}//*.${labels.slice(index + 1).join('.')}`))
}

function parseOrigin(text: string): string | undefined {
  // What the URL parser would forgive: other slashes, white space, user names, and stars.
  if (!/^https?:\/\/[^\s\\/?#@*%]+\/?$/i.test(text) || !URL.canParse(text)) return undefined
  const { origin, hostname } = new URL(text)
  return hostname === '' ? undefined : origin
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
}
