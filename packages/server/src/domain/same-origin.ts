/** Where a browser says a request comes from. */
export interface Provenance {
  /** `Sec-Fetch-Site`: only browsers send it, no script can change it, and not for plain http. */
  fetchSite: string | undefined
  origin: string | undefined
  /** Hosts that this site is known by. */
  hosts: readonly string[]
}

/** Whether a page of this site is proven to have sent it. */
export function isSameOrigin({ fetchSite, origin, hosts }: Provenance): boolean {
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none'
  const host = origin === undefined ? undefined : URL.parse(origin)?.host
  return host !== undefined && host !== '' && hosts.includes(host)
}

/** Whether a browser sent it for a page of another site; programs say nothing of where they are. */
export function isCrossOrigin(from: Provenance): boolean {
  return (from.fetchSite !== undefined || from.origin !== undefined) && !isSameOrigin(from)
}
