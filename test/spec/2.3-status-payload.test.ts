import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask } from '../people.ts'

onEachEngine(stage => {
  let page: string
  const read = (headers: Record<string, string> = {}) =>
    ask(stage.world.url, 'GET', '/api/status/shown', undefined, headers)
  const tag = async () => (await read()).headers.get('etag') as string

  beforeAll(async () => {
    const { owner } = stage.people
    const { body } = await owner.post('/v1/status-pages', { slug: 'shown', title: 'Shown' })
    page = `/v1/status-pages/${body.data.id}`
  })

  test('the payload carries a tag, and is 304 for who holds it', async () => {
    const { status, body } = await read({ 'if-none-match': await tag() })
    expect([status, body]).toEqual([304, ''])
    const head = await ask(stage.world.url, 'HEAD', '/api/status/shown')
    expect([head.status, head.body]).toEqual([200, ''])
  })

  test('a change is seen by whoever asks next', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      const before = await tag()
      await stage.people.owner.patch(page, { title })
      const { status, body } = await read({ 'if-none-match': before })
      expect([status, body.title]).toEqual([200, title])
    }
  })

  test('a page that turns private is gone at once, for who holds it too', async () => {
    const held = await tag()
    await stage.people.owner.patch(page, { is_public: false })
    expect((await read({ 'if-none-match': held })).status).toBe(404)
  })
})
