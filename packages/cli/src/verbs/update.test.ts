import { afterEach, beforeEach, expect, test } from 'vitest'
import { monitorctl } from '../testing/monitorctl.ts'
import { monitor, type ServerDouble, startServerDouble } from '../testing/server-double.ts'

let server: ServerDouble
beforeEach(async () => {
  server = await startServerDouble({
    monitors: [monitor({ id: 1, managed_by: 'shop.git' }), monitor({ id: 2, managed_by: null })],
  })
})
afterEach(() => server.close())

test('who changes by hand what files manage is told so', async () => {
  const { code, stderr } = await monitorctl(['monitors', 'update', '1', '--interval', '30'], { server })
  expect([code, stderr]).toEqual([0, expect.stringContaining('It is managed by "shop.git": change its files, too')])
})

test.each([
  ['1', '-o', 'json'],
  ['2', '-o', 'table'],
])('nothing is said of it: %s %s %s', async (...words) => {
  const { stderr } = await monitorctl(['monitors', 'update', '--interval', '30', ...words], { server })
  expect(stderr).not.toContain('managed')
})
