import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { ask, Person } from '../people.ts'
import { World } from '../world.ts'

const apps = '/api/observability/apps'
const page = 'https://shop.example.com/cart'

onEachEngine(stage => {
  interface App {
    id: number
    api_key: string
  }
  let app: App
  const newApp = async (): Promise<App> => (await stage.people.owner.post(apps, { name: 'Shop' })).body.data
  const send = (body: unknown, to = app, headers: Record<string, string> = {}, more = '') =>
    ask(stage.world.url, 'POST', `/v1/ingest?api_key=${to.api_key}${more}`, body, headers)
  const read = async (what: string, from = app) =>
    (await stage.people.viewer.get(`${apps}/${from.id}/rum/${what}`)).body
  const used = async (of: App) => {
    const { quotas } = (await stage.people.viewer.get(`${apps}/${of.id}/usage`)).body
    return [quotas.rum_sessions.used, quotas.rum_events.used]
  }
  const load = (more: object = {}) => ({ type: 'page_load', url: page, duration_ms: 100, ...more })

  beforeAll(async () => {
    app = await newApp()
  })

  describe('what may be sent', () => {
    test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'text/plain;charset=UTF-8'])(
      'one event or an array as %s',
      async type => {
        const kept = { accepted: 1, duplicates: 0, rejected: 0, errors: {} }
        const one = await send(JSON.stringify(load()), app, { 'content-type': type })
        expect([one.status, one.body.data]).toEqual([200, kept])
        const many = await send(JSON.stringify([load(), load()]), app, { 'content-type': type })
        expect([many.status, many.body.data]).toEqual([200, { ...kept, accepted: 2 }])
      },
    )

    test('every type, and fields that nobody knows', async () => {
      const session_id = randomUUID()
      const events = [
        { type: 'session_start', referrer: 'https://example.org/?q=secret' },
        load({ foo: 'bar' }),
        { type: 'web_vital', name: 'LCP', value: 1200 },
        { type: 'error', message: 'boom' },
        { type: 'click', target: 'button#buy' },
        { type: 'console', level: 'warn', message: 'careful' },
        { type: 'network', request_url: 'https://shop.example.com/api?x=1', status: 200, duration_ms: 12 },
        { type: 'custom', name: 'bought', data: { items: 3 } },
      ].map(event => ({ url: page, session_id, ...event }))
      expect((await send(events)).body.data).toEqual({ accepted: 8, duplicates: 0, rejected: 0, errors: {} })
    })

    test.each([
      ['nothing', '', 400],
      ['no JSON', '{"type":', 400],
      ['no object', '"page_load"', 400],
      ['null', 'null', 400],
      ['an empty array', '[]', 400],
      ['none of the required fields', '{}', 400],
      ['no type', { url: page }, 422],
      ['no url', { type: 'page_load' }, 422],
      ['an unknown type', { type: 'pageload', url: page }, 422],
      ['a type of every object', { type: 'constructor', url: page }, 422],
      ['a url that is none', { type: 'page_load', url: 'nowhere' }, 422],
      ['a url that is a number', { type: 'page_load', url: 7 }, 422],
      ['a duration that is text', load({ duration_ms: '100' }), 422],
      ['a negative duration', load({ duration_ms: -1 }), 422],
      ['an unknown vital', { type: 'web_vital', url: page, name: 'constructor', value: 1 }, 422],
      ['a vital without a value', { type: 'web_vital', url: page, name: 'LCP' }, 422],
      ['an error without a message', { type: 'error', url: page }, 422],
      ['an id that is too long', load({ id: 'x'.repeat(101) }), 422],
      ['a visit without an id', { type: 'session_start', url: page }, 422],
      ['a time that is none', load({ timestamp: 'yesterday' }), 422],
      ['only bad ones', [{}, { type: 'x', url: page }], 422],
      ['nesting without end', `${'['.repeat(1000)}${']'.repeat(1000)}`, 400],
    ])('%s is refused', async (_, body, status) => {
      const answer = await send(body)
      expect([answer.status, answer.body.success]).toEqual([status, false])
      if (status === 422) expect(Object.keys(answer.body.errors).length).toBeGreaterThan(0)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    })

    test('of an array the good ones are kept, and the others named by their position', async () => {
      const { status, body } = await send([load(), { type: 'x', url: page }, load(), 7, load({ duration_ms: 'x' })])
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ accepted: 2, rejected: 3 })
      expect(Object.keys(body.data.errors)).toEqual(['1.type', '3.event', '4.duration_ms'])
    })

    test('512 KiB a request, 64 KiB an event, plain and unpacked', async () => {
      const big = { type: 'custom', url: page, data: { text: 'x'.repeat(66_000) } }
      expect((await send(big)).status).toBe(413)
      const { status, body } = await send([load(), big])
      expect([status, body.data.accepted, Object.keys(body.data.errors)]).toEqual([200, 1, ['1.event']])
      const whole = JSON.stringify(Array.from({ length: 9 }, () => ({ ...big, data: { text: 'x'.repeat(60_000) } })))
      expect((await send(whole)).status).toBe(413)
      const packed = await fetch(`${stage.world.url}/v1/ingest?api_key=${app.api_key}`, {
        method: 'POST',
        body: gzipSync(whole),
        headers: { 'content-encoding': 'gzip' },
      })
      expect(packed.status).toBe(413)
      const small = await fetch(`${stage.world.url}/v1/ingest?api_key=${app.api_key}`, {
        method: 'POST',
        body: gzipSync(JSON.stringify(load())),
        headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
      })
      expect(small.status).toBe(200)
    })

    test('damaged, deep and strange bodies are refused or kept, and never a fault of ours', async () => {
      const own = await newApp()
      const whole = JSON.stringify([
        load({ id: 'a', session_id: 'b', name: 'n', data: { x: [1, { y: 'z' }] }, timestamp: 1 }),
        { type: 'error', url: page, message: 'm', stack: 's' },
      ])
      const strange = [
        'null',
        '[]',
        '{}',
        '-1',
        '1e400',
        '"\\u0000\\ud800"',
        '[[{}]]',
        'true',
        '"x"',
        '{"__proto__":{"type":"x"}}',
      ]
      const bodies: string[] = []
      for (let at = 0; at < whole.length; at += 3) {
        bodies.push(whole.slice(0, at), `${whole.slice(0, at)}\0${whole.slice(at + 1)}`, whole.slice(at))
      }
      const fields = [
        'type',
        'url',
        'id',
        'session_id',
        'timestamp',
        'duration_ms',
        'name',
        'value',
        'message',
        'stack',
        'status',
      ]
      for (const field of [...fields, 'data', 'referrer', '__proto__', 'constructor', 'toString']) {
        for (const value of strange) {
          for (const type of ['page_load', 'web_vital', 'error', 'custom', 'session_start']) {
            bodies.push(
              `{"type":"${type}","url":"${page}","name":"LCP","value":1,"message":"m","session_id":"s","${field}":${value}}`,
            )
          }
        }
      }
      bodies.push(`{"type":"custom","url":"${page}","data":${'{"a":'.repeat(60)}1${'}'.repeat(60)}}`)
      bodies.push('{"a":'.repeat(100_000), `[${'7,'.repeat(4999)}7]`, `[${'7,'.repeat(9999)}7]`, '\ufeff{}')
      let accepted = 0
      const statuses = new Set<number>()
      const client = async () => {
        for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
          const answer = await send(body, own)
          statuses.add(answer.status)
          if (answer.status === 200) accepted += answer.body.data.accepted
        }
      }
      await Promise.all([client(), client(), client(), client()])
      expect([...statuses].toSorted()).toEqual([200, 400, 422])
      const [visits, events] = (await used(own)) as [number, number]
      expect(visits).toBeGreaterThan(0)
      // Beginnings of visits are accepted, too, and are no events.
      expect(accepted - events).toBeLessThanOrEqual(visits)
      for (const what of ['vitals', 'sessions', 'errors', 'pages']) expect((await read(what, own)).success).toBe(true)
    })

    test('other media types are 415', async () => {
      expect((await send('<a/>', app, { 'content-type': 'text/xml' })).status).toBe(415)
      expect((await send(load(), app, { 'content-encoding': 'br' })).status).toBe(415)
    })
  })

  describe('what is counted', () => {
    test('sent again under its id it counts once; a vital keeps its last value', async () => {
      const own = await newApp()
      const session_id = randomUUID()
      const events = [
        { type: 'session_start', url: page, session_id, id: randomUUID() },
        load({ session_id, id: randomUUID() }),
        { type: 'web_vital', name: 'CLS', value: 0.01, url: page, session_id, id: 'v6-1' },
      ]
      expect((await send(events, own)).body.data).toMatchObject({ accepted: 3, duplicates: 0 })
      expect((await send(events, own)).body.data).toMatchObject({ accepted: 0, duplicates: 3 })
      const later = { ...events[2], value: 0.3 }
      expect((await send([later, later], own)).body.data).toMatchObject({ accepted: 0, duplicates: 2 })
      expect(await used(own)).toEqual([1, 2])
      const { data } = await read('vitals', own)
      expect(data).toEqual([
        { name: 'CLS', page, p50: 0.3, p75: 0.3, p95: 0.3, good: 0, needs_improvement: 0, poor: 1, count: 1 },
      ])
    })

    test('ids of one app are nothing to another', async () => {
      const [one, other] = [await newApp(), await newApp()]
      const event = load({ id: 'same', session_id: 'same' })
      for (const to of [one, other]) expect((await send(event, to)).body.data.accepted).toBe(1)
      expect([await used(one), await used(other)]).toEqual([
        [1, 1],
        [1, 1],
      ])
    })

    test('a visit counts once, whatever comes of it, and an event without one is no visit', async () => {
      const own = await newApp()
      await Promise.all(
        Array.from({ length: 12 }, (_, turn) => send([load({ session_id: `s${turn % 3}` }), load()], own)),
      )
      expect(await used(own)).toEqual([3, 24])
      const { data } = await read('sessions', own)
      expect(data.map((each: { page_count: number }) => each.page_count)).toEqual([4, 4, 4])
    })
  })

  describe('what is kept', () => {
    test('no query, no fragment, no secret', async () => {
      const own = await newApp()
      const secrets = ['ada@example.com', 'hunter2', '4111 1111 1111 1111', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc']
      const url = 'https://ada:hunter2@shop.example.com/reset/ada@example.com?token=hunter2#hunter2'
      const text = `mail ${secrets[0]} password=${secrets[1]} card ${secrets[2]} jwt ${secrets[3]}`
      const session_id = randomUUID()
      await send(
        [
          { type: 'session_start', url, session_id, referrer: url },
          { type: 'error', url, session_id, name: 'Error', message: text, stack: `Error: ${text}\n at f (${url}:1:2)` },
          { type: 'custom', url, name: 'x', data: { password: 'hunter2', deep: [{ note: text }] } },
          { type: 'network', url, request_url: url },
          load({ url, session_id }),
        ],
        own,
      )
      const told = JSON.stringify(
        await Promise.all(['vitals', 'sessions', 'errors', 'pages'].map(what => read(what, own))),
      )
      for (const secret of secrets) expect(told).not.toContain(secret)
      expect(told).toContain('https://shop.example.com/reset/[email]')
      expect((await read('errors', own)).data[0].stack).toContain(':1:2')
    })

    test('a clock that is wrong is put right', async () => {
      const own = await newApp()
      const wrong = Date.now() - 400 * 86_400_000
      await send([load({ timestamp: wrong })], own, {}, `&sent_at=${wrong + 5000}`)
      await send([load({ timestamp: Date.now() + 86_400_000 })], own)
      const from = new Date(Date.now() - 60_000).toISOString()
      expect((await read(`pages?from=${from}`, own)).data).toMatchObject([{ page, count: 2 }])
      const after = new Date(Date.now() + 1000).toISOString()
      expect((await read(`pages?from=${after}`, own)).data).toEqual([])
    })
  })

  describe('what can be asked', () => {
    test('vitals by page, with percentiles and shares', async () => {
      const own = await newApp()
      const values = [1000, 2000, 2400, 3000, 3500, 3900, 4500, 5000, 5500, 6000]
      await send(
        values.map(value => ({ type: 'web_vital', name: 'LCP', value, url: `${page}?n=${value}` })),
        own,
      )
      await send({ type: 'web_vital', name: 'INP', value: 100, url: 'https://shop.example.com/' }, own)
      const { data, meta } = await read('vitals', own)
      expect(data[0]).toEqual({
        name: 'LCP',
        page,
        p50: 3500,
        p75: 5000,
        p95: 6000,
        good: 0.3,
        needs_improvement: 0.3,
        poor: 0.4,
        count: 10,
      })
      expect([data.length, meta]).toEqual([2, { next_cursor: null, complete: true }])
      expect((await read('vitals?name=INP', own)).data).toMatchObject([{ name: 'INP', good: 1 }])
      expect((await read(`vitals?page=${encodeURIComponent(page)}`, own)).data).toHaveLength(1)
      const [stretch] = (await read('vitals?name=LCP&step=3600', own)).data
      expect(Date.parse(stretch.timestamp) % 3_600_000).toBe(0)
    })

    test('errors by their cause', async () => {
      const own = await newApp()
      const error = (id: number, host: string, session_id: string) => ({
        type: 'error',
        url: page,
        session_id,
        name: 'TypeError',
        message: `order ${id} is undefined`,
        stack: `TypeError: order ${id}\n    at pay (https://${host}/app.3fa9b2c1.js:${id}:17)\n    at async go (https://${host}/x.js:1:1)`,
      })
      await send([error(1, 'a.example', 'one'), error(22, 'b.example', 'two'), error(3, 'a.example', 'two')], own)
      await send({ type: 'error', url: page, message: 'another' }, own)
      const { data } = await read('errors', own)
      expect(data).toMatchObject([
        { name: 'TypeError', count: 3, session_count: 2, page },
        { name: null, message: 'another', stack: null, count: 1, session_count: 0 },
      ])
    })

    test('pages, slowest first, by cursor', async () => {
      const own = await newApp()
      await send(
        Array.from({ length: 25 }, (_, index) => load({ url: `${page}/${index}`, duration_ms: index * 10 })),
        own,
      )
      const seen: number[] = []
      for (let path: string | null = 'pages?limit=10'; path !== null; ) {
        const { data, links } = await read(path, own)
        seen.push(...data.map((each: { p75: number }) => each.p75))
        path = links.next?.split('/rum/')[1] ?? null
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => (24 - index) * 10))
    })

    test('visits, newest first, with the family of their browser and no more', async () => {
      const own = await newApp()
      const agent =
        'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'
      for (const session_id of ['a', 'b', 'c']) await send([load({ session_id })], own, { 'user-agent': agent })
      const first = await read('sessions?limit=2', own)
      expect(first.data).toMatchObject([
        { session_id: 'c', browser: 'Chrome', os: 'Android', device: 'mobile', page_count: 1, error_count: 0 },
        { session_id: 'b' },
      ])
      const rest = await read(first.links.next.split('/rum/')[1], own)
      expect([rest.data.length, rest.data[0].session_id, rest.links.next]).toEqual([1, 'a', null])
    })

    test('visits that had an error, newest first, by page, time and cursor', async () => {
      const own = await newApp()
      const boom = (session_id: string, more: object = {}) => ({
        type: 'error',
        url: page,
        message: 'boom',
        session_id,
        ...more,
      })
      const other = 'https://shop.example.com/other'
      const begun = Date.now()
      const early = begun - 36_000_000
      for (const events of [
        [boom('a'), boom('a'), load({ session_id: 'a' })],
        [boom('b', { message: 'another' }), load({ session_id: 'b' })],
        [boom('c', { url: other, timestamp: early }), load({ session_id: 'c', url: other })],
        [load({ session_id: 'd' }), boom('d')],
        [{ type: 'error', url: page, message: 'boom' }],
      ]) {
        await send(events, own)
      }
      const groups: { message: string; fingerprint: string; session_count: number }[] = (await read('errors', own)).data
      const group = groups.find(({ message }) => message === 'boom')
      const error = group?.fingerprint ?? ''
      const visits = async (query: string) =>
        (await read(`sessions?${query}`, own)).data.map((each: { session_id: string }) => each.session_id)
      const { data, meta } = await read(`sessions?error=${error}`, own)
      expect([data.length, meta]).toEqual([group?.session_count, { next_cursor: null, complete: true }])
      expect(data).toEqual(
        (await read('sessions', own)).data.filter((each: { session_id: string }) => each.session_id !== 'b'),
      )
      expect(await visits(`error=${error}&page=${encodeURIComponent(page)}`)).toEqual(['d', 'a'])
      expect(await visits(`error=${error}&page=${encodeURIComponent(other)}`)).toEqual(['c'])
      expect(await visits(`page=${encodeURIComponent(page)}`)).toEqual(['d', 'b', 'a'])
      // When it happened counts, not when the visit was first heard of.
      expect(await visits(`error=${error}&from=${new Date(begun - 3_600_000).toISOString()}`)).toEqual(['d', 'a'])
      expect(await visits(`error=${error}&to=${new Date(begun - 3_600_000).toISOString()}`)).toEqual(['c'])
      expect(await visits(`error=${'0'.repeat(16)}`)).toEqual([])
      const seen: string[] = []
      for (let path: string | null = `sessions?error=${error}&limit=1`; path !== null; ) {
        const part: { data: { session_id: string }[]; links: { next: string | null } } = await read(path, own)
        seen.push(...part.data.map(each => each.session_id))
        path = part.links.next?.split('/rum/')[1] ?? null
      }
      expect(seen).toEqual(['d', 'c', 'a'])
      // The error alone, and which events of a visit are it.
      expect((await read(`errors?error=${error}`, own)).data).toEqual([group])
      const { events } = (await read('sessions/a', own)).data
      expect(events.map((each: { fingerprint?: string }) => each.fingerprint)).toEqual([undefined, error, error])
    })

    test('an error is asked for as it is named, and is nothing to another app or team', async () => {
      const [own, another] = [await newApp(), await newApp()]
      for (const to of [own, another]) {
        await send([{ type: 'error', url: page, message: 'boom', session_id: `of ${to.id}` }], to)
      }
      const error = (await read('errors', own)).data[0].fingerprint
      expect((await read('errors', another)).data[0].fingerprint).toBe(error)
      for (const what of ['sessions', 'errors']) {
        const path = `${apps}/${own.id}/rum/${what}?error=`
        const { data } = (await stage.people.viewer.get(path + error)).body
        expect(data).toHaveLength(1)
        if (what === 'sessions') expect(data).toMatchObject([{ session_id: `of ${own.id}`, error_count: 1 }])
        expect((await stage.people.stranger.get(path + error)).status).toBe(404)
        expect((await ask(stage.world.url, 'GET', path + error)).status).toBe(401)
        for (const wrong of ['', 'TypeError', error.slice(1), error.toUpperCase(), `${error}&error=${error}`]) {
          const { status, body } = await stage.people.viewer.get(path + wrong)
          expect([status, Object.keys(body.errors ?? {})], wrong).toEqual([422, ['error']])
        }
      }
    })

    test('a visit with its events in order, scrubbed, by cursor, and the traces of its requests', async () => {
      const own = await newApp()
      const session_id = `v/${'ü'.repeat(98)}`
      const begun = Date.now() - 60_000
      const trace_id = '0af7651916cd43dd8448eb211c80319c'
      const request_url = 'https://shop.example.com/api/cart'
      const sent = [
        { type: 'session_start', timestamp: begun, referrer: 'https://example.org/?q=secret' },
        load({ timestamp: begun + 1 }),
        { type: 'network', timestamp: begun + 3, request_url, status: 500, duration_ms: 48.24, trace_id },
        { type: 'network', timestamp: begun + 4, request_url, status: 200, trace_id: 'no trace' },
        { type: 'error', timestamp: begun + 5, name: 'TypeError', message: 'mail ada@example.com', line: 3 },
        { type: 'web_vital', timestamp: begun + 2, name: 'LCP', value: 1200, id: 'v6-1' },
        { type: 'custom', timestamp: begun + 6, name: 'bought', data: { items: 3, token: 'hunter2' } },
        ...Array.from({ length: 5 }, () => ({ type: 'click', timestamp: begun + 7, target: 'button#buy' })),
      ].map(event => ({ url: page, session_id, ...event }))
      await send(sent, own, {}, `&sent_at=${Date.now()}`)
      await send(load({ session_id: 'another' }), own)
      const path = `sessions/${encodeURIComponent(session_id)}`
      const { data } = await read(path, own)
      expect(data).toMatchObject({ session_id, event_count: 11, error_count: 1, next_cursor: null, complete: true })
      expect(data.referrer).toBe('https://example.org/')
      const [start, loaded, vital, traced, untraced, error, custom, ...clicks] = data.events
      expect([start.type, loaded.type, loaded.duration_ms]).toEqual(['session_start', 'page_load', 100])
      expect(vital).toMatchObject({ type: 'web_vital', name: 'LCP', value: 1200 })
      expect(traced).toEqual({
        type: 'network',
        timestamp: expect.any(String),
        page,
        trace_id,
        request_url,
        status: 500,
        duration_ms: 48.2,
      })
      expect(untraced).toMatchObject({ status: 200, trace_id: null })
      expect(error).toMatchObject({ name: 'TypeError', message: 'mail [email]', line: 3, trace_id: null })
      expect(custom).toMatchObject({ name: 'bought', data: { items: 3, token: '[secret]' } })
      expect(clicks.map((each: { target: string }) => each.target)).toEqual(Array(5).fill('button#buy'))
      const times = data.events.map((each: { timestamp: string }) => Date.parse(each.timestamp))
      expect(times).toEqual(times.toSorted((a: number, b: number) => a - b))
      for (const limit of [1, 5]) {
        const seen: unknown[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const part: { events: unknown[]; next_cursor: string | null } = (
            await read(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`, own)
          ).data
          expect(part.events.length).toBeLessThanOrEqual(limit)
          seen.push(...part.events)
          cursor = part.next_cursor
        }
        expect(seen).toEqual(data.events)
      }
    })

    test('a visit is read by everyone of the team, and by nobody else', async () => {
      const session_id = randomUUID()
      await send(load({ session_id }))
      const path = `${apps}/${app.id}/rum/sessions/${session_id}`
      for (const who of ['owner', 'member', 'viewer'] as const) {
        expect((await stage.people[who].get(path)).status).toBe(200)
      }
      expect((await stage.people.stranger.get(path)).status).toBe(404)
      expect((await ask(stage.world.url, 'GET', path)).status).toBe(401)
      const cursors = ['x', '[1.5,"0"]', '[1,"-1"]', '[1,"10001"]', '[1,"x"]', '[1e300,"0"]']
      const forged = cursors.map(text => `cursor=${text === 'x' ? text : Buffer.from(text).toString('base64url')}`)
      for (const query of [...forged, 'limit=201', 'nothing=x', 'from=2026-11-21T09:30:00.000Z']) {
        expect((await stage.people.viewer.get(`${path}?${query}`)).status, query).toBe(422)
      }
      const other = await newApp()
      for (const wrong of [
        `${app.id}/rum/sessions/nobody`,
        `${app.id}/rum/sessions/%00`,
        `${other.id}/rum/sessions/${session_id}`,
      ]) {
        expect((await stage.people.viewer.get(`${apps}/${wrong}`)).status, wrong).toBe(404)
      }
    })

    test('everyone of the team reads, nobody else', async () => {
      for (const what of ['vitals', 'sessions', 'errors', 'pages']) {
        const path = `${apps}/${app.id}/rum/${what}`
        for (const who of ['owner', 'member', 'viewer'] as const) {
          expect((await stage.people[who].get(path)).status).toBe(200)
        }
        expect((await stage.people.stranger.get(path)).status).toBe(404)
        expect((await ask(stage.world.url, 'GET', path)).status).toBe(401)
        expect((await stage.people.viewer.get(`${path}?cursor=x`)).status).toBe(422)
        expect((await stage.people.viewer.get(`${path}?nothing=x`)).status).toBe(422)
      }
    })
  })
})

describe('how often', () => {
  test('each key and each address has its limit, of which nothing is taken before the key is right', async () => {
    const env = { WATCHPOST_RATE_LIMIT_RUM_KEY_MINUTE: '5', WATCHPOST_RATE_LIMIT_RUM_ADDRESS_MINUTE: '8' }
    const world = await World.create({ env })
    await world.server()
    const owner = new Person(world, world.credentials.api_token)
    const keys = [0, 1].map(async () => (await owner.post(apps, { name: 'Shop' })).body.data.api_key)
    const [one, other] = await Promise.all(keys)
    const headers = { origin: 'https://a.example' }
    const send = (key: string) =>
      ask(world.url, 'POST', `/v1/ingest?api_key=${key}`, { type: 'page_load', url: page }, headers)
    const statuses = async (key: string, times: number) => {
      const seen: number[] = []
      for (let turn = 0; turn < times; turn++) seen.push((await send(key)).status)
      return seen
    }
    // A window that ends in between would give more than one.
    while (Date.now() % 60_000 > 50_000) await new Promise(resolve => setTimeout(resolve, 500))
    expect(await statuses('nonsense', 3)).toEqual([401, 401, 401])
    expect(await statuses(one, 6)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await statuses(other, 4)).toEqual([200, 200, 200, 429])
    const refused = await send(other)
    expect(refused.body.code).toBe('rate_limit_exceeded')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
    await world.close()
  })
})
