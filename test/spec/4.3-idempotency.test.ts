import { describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'

onEachEngine(stage => {
  const site = { name: 'Shop', type: 'https', target: 'https://shop.example/' }
  const create = (key: string, body: unknown = site, who = stage.people.member) =>
    who.ask('POST', '/v1/monitors', body, { 'idempotency-key': key })
  const count = async () => (await stage.people.viewer.get('/v1/monitors')).body.meta.total

  describe('a POST sent again under its Idempotency-Key', () => {
    test('takes effect once and is answered the same', async () => {
      const first = await create('again')
      const second = await create('again')
      expect([first.status, second.status]).toEqual([201, 201])
      expect(second.body).toEqual(first.body)
      expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
        null,
        'true',
      ])
      expect(await count()).toBe(1)
    })

    test('at the same moment takes effect once, whoever wins', async () => {
      const before = await count()
      const answers = await Promise.all(Array.from({ length: 10 }, () => create('at once')))
      const made = answers.filter(({ status }) => status === 201)
      expect(new Set(made.map(({ body }) => body.data.id)).size).toBe(1)
      // Whoever came while the first was under way is told to ask again.
      for (const { status, headers } of answers.filter(answer => !made.includes(answer))) {
        expect([status, headers.get('retry-after')]).toEqual([409, '1'])
      }
      expect(await count()).toBe(before + 1)
      expect((await create('at once')).status).toBe(201)
    })

    test('shows a secret again that is shown once: the first answer may have been lost', async () => {
      const ask = () => stage.people.owner.ask('POST', '/v1/tokens', { name: 'ci' }, { 'idempotency-key': 'a token' })
      const [first, second] = [await ask(), await ask()]
      expect(first.body.data.token).toMatch(/^wp_api_/)
      expect(second.body.data.token).toBe(first.body.data.token)
    })

    test('but with another body or path is refused', async () => {
      await create('one thing')
      const other = await create('one thing', { ...site, name: 'Another' })
      expect([other.status, other.body.errors['Idempotency-Key']]).toEqual([422, expect.stringContaining('another')])
      const elsewhere = await stage.people.member.ask(
        'POST',
        '/v1/incidents',
        { title: 'x' },
        { 'idempotency-key': 'one thing' },
      )
      expect(elsewhere.status).toBe(422)
    })

    test('a key is its sender’s own', async () => {
      const mine = await create('shared name')
      const theirs = await create('shared name', site, stage.people.owner)
      const foreign = await create('shared name', site, stage.people.stranger)
      expect(new Set([mine, theirs, foreign].map(({ body }) => body.data.id)).size).toBe(3)
    })
  })

  test('what was refused may be sent again under the same key', async () => {
    expect((await create('typo', { ...site, type: 'htps' })).status).toBe(422)
    expect((await create('typo')).status).toBe(201)
    const taken = (slug: string) =>
      stage.people.owner.ask('POST', '/v1/status-pages', { slug, title: 'Page' }, { 'idempotency-key': `page ${slug}` })
    await stage.people.owner.post('/v1/status-pages', { slug: 'taken', title: 'Taken' })
    expect((await taken('taken')).status).toBe(422)
    expect((await taken('taken')).status).toBe(422)
  })

  test('what changes nothing is asked anew, and its key is free for what does', async () => {
    const resources = { monitors: [{ ...site, name: 'Of a file' }] }
    const { owner } = stage.people
    const since = new Date(Date.now() - 60_000).toISOString()
    const asks = [
      ['/v1/plan', { resources }],
      ['/v1/apply', { resources, dry_run: true }],
      ['/v1/backtest', { resources, since }],
    ] as const
    for (const [path, body] of [...asks, ...asks, ['/v1/apply', { resources }] as const]) {
      const answer = await owner.ask('POST', path, body, { 'idempotency-key': 'of files' })
      expect([answer.status, answer.headers.get('idempotency-replayed')], JSON.stringify(answer.body)).toEqual([
        200,
        null,
      ])
    }
    // By now it would change nothing, which what was kept did not know.
    const plan = await owner.ask('POST', ...asks[0], { 'idempotency-key': 'of files' })
    expect(plan.body.data.changes).toEqual([])
    expect((await owner.ask('POST', ...asks[0], { 'idempotency-key': '\u00fc' })).status).toBe(422)
  })

  test('an answer that is too large to be kept is not told again, and neither is its effect repeated', async () => {
    const options = { body: 'x'.repeat(60_000) }
    const monitors = Array.from({ length: 6 }, (_, index) => ({ ...site, name: `Large ${index}`, options }))
    const apply = () =>
      stage.people.owner.ask(
        'POST',
        '/v1/apply',
        { source: 'large', resources: { monitors } },
        { 'idempotency-key': 'large' },
      )
    expect((await apply()).body.data.summary).toMatchObject({ create: 6 })
    const again = await apply()
    expect([again.status, again.body.code, again.headers.get('idempotency-replayed')]).toEqual([
      409,
      'conflict',
      'true',
    ])
    expect(again.body.message).toContain('took effect')
    const { body } = await stage.people.owner.post('/v1/plan', { source: 'large', resources: { monitors } })
    expect(body.data.summary).toMatchObject({ unchanged: 6 })
  })

  test.each(['x'.repeat(256), '\u00fc'])('the key "%s" is refused by name', async key => {
    const { status, body } = await create(key)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['Idempotency-Key']])
  })

  test('a viewer is refused with and without one', async () => {
    expect((await create('viewer', site, stage.people.viewer)).status).toBe(403)
  })
})
