import { afterEach, beforeEach, expect, test } from 'vitest'
import { monitorctl } from '../testing/monitorctl.ts'
import { json, monitor, type ServerDouble, startServerDouble } from '../testing/server-double.ts'

let server: ServerDouble
beforeEach(async () => {
  server = await startServerDouble({ monitors: [monitor(), monitor({ id: 2, name: 'Db\u001b[2J', target: 'db:1' })] })
})
afterEach(() => server.close())

/** Watches until the output has this many lines, then interrupts. */
async function watchUntil(lines: number, argv: string[], onLine: (count: number) => void = () => {}) {
  const stop = new AbortController()
  return monitorctl(['monitors', 'watch', '--interval', '500ms', ...argv], {
    server,
    signal: stop.signal,
    onOutput(text) {
      const count = text.split('\n').length - 1
      onLine(count)
      if (count >= lines) stop.abort(130)
    },
  })
}

const setStatus = (index: number, status: string) => Object.assign(server.tables.monitors?.[index] ?? {}, { status })

test('a line for each monitor, then one for each change, until Ctrl-C', async () => {
  const { code, stdout, stderr } = await watchUntil(3, [], count => count === 2 && setStatus(0, 'offline'))
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z {2}/gm
  expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
  expect(stdout.match(time)).toHaveLength(3)
  expect(stdout.replace(time, '')).toBe(
    [
      'online  Shop front  https://shop.example/',
      'online  Db\\e[2J  db:1',
      'online -> offline  Shop front  https://shop.example/',
      '',
    ].join('\n'),
  )
})

test('each change is said once, and so is the change back', async () => {
  const { stdout } = await watchUntil(4, [], count => {
    if (count === 2) setStatus(0, 'offline')
    if (count === 3) setStatus(0, 'online')
  })
  const changes = stdout.split('\n').filter(line => line.includes('->'))
  expect(changes.map(line => line.split('  ')[1])).toEqual(['online -> offline', 'offline -> online'])
})

test('-o json is one object a line; one monitor may be watched alone', async () => {
  const { stdout } = await watchUntil(2, ['1', '-o', 'json'], count => count === 1 && setStatus(0, 'paused'))
  const objects = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(objects).toMatchObject([
    { id: 1, name: 'Shop front', status: 'online', previous_status: null },
    { id: 1, name: 'Shop front', status: 'paused', previous_status: 'online' },
  ])
})

test('a server that goes away is asked again, and said to be away once', async () => {
  const { stdout, stderr } = await watchUntil(3, [], count => {
    if (count !== 2) return
    const from = server.seen.length
    setStatus(1, 'offline')
    server.instead = (_, response) => server.seen.length <= from + 2 && Boolean(response.destroy())
  })
  expect(stdout).toContain('online -> offline')
  expect(stderr).toMatch(/^stale since \S+, retrying: Cannot reach .*\nup to date again at \S+\n$/)
})

test.each([
  [401, 'unauthorized', 3],
  [404, 'not_found', 4],
])('what waiting does not mend ends the watch: %d', async (status, code, exit) => {
  const ended = await watchUntil(9, [], count => {
    if (count === 2) server.instead = (_, response) => json(response, status, { message: 'No', code })
  })
  expect(ended.code).toBe(exit)
})
