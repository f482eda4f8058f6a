import type { ListMeta } from '@watchpost/contract'

const perPage = 100
const atOnce = 4

interface Listed {
  data: unknown[]
  meta: ListMeta
}

/**
 * Every item of a list, however many pages it has: one request where one page holds them all.
 * @param list a list of the contract: `api.listChannels`
 */
export async function everyPage<Q extends object, A extends Listed>(
  list: (input?: { query?: Q & { page?: number; per_page?: number } }) => Promise<A>,
  query: Q,
): Promise<A> {
  const ask = (page: number) => list({ query: { ...query, page, per_page: perPage } })
  const first = await ask(1)
  const pages = [first]
  for (let next = 2; next <= first.meta.total_pages; next += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, first.meta.total_pages - next + 1) }, (_, at) => next + at)
    pages.push(...(await Promise.all(numbers.map(ask))))
  }
  return { ...first, data: pages.flatMap(({ data }) => data) }
}
