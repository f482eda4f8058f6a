import { expect, test } from 'vitest'
import { everyPage } from './every-page.ts'

/** A list of so many numbers that remembers which pages it was asked for. */
function numbers(total: number) {
  const asked: (number | undefined)[] = []
  const list = async (input?: { query?: { sort?: string; page?: number; per_page?: number } }) => {
    const { page = 1, per_page = 20, sort } = input?.query ?? {}
    asked.push(page)
    expect(sort).toBe('name')
    const data = Array.from({ length: total }, (_, at) => at).slice((page - 1) * per_page, page * per_page)
    return { data, meta: { total, page, per_page, total_pages: Math.max(1, Math.ceil(total / per_page)) } }
  }
  return { list, asked }
}

test.each([0, 1, 100])('%i items are one request', async total => {
  const { list, asked } = numbers(total)
  expect((await everyPage(list, { sort: 'name' })).data).toHaveLength(total)
  expect(asked).toEqual([1])
})

test.each([101, 500, 1001])('%i items all come, in their order', async total => {
  const { list } = numbers(total)
  const { data } = await everyPage(list, { sort: 'name' })
  expect(data).toEqual(Array.from({ length: total }, (_, at) => at))
})

test('a page that does not come is told', async () => {
  const { list } = numbers(300)
  const broken = (input?: Parameters<typeof list>[0]) =>
    input?.query?.page === 3 ? Promise.reject(new Error('away')) : list(input)
  await expect(everyPage(broken, { sort: 'name' })).rejects.toThrow('away')
})
