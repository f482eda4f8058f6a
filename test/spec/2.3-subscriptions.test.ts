import { afterAll, beforeAll, expect, test } from 'vitest'
import { Mailbox } from '../../packages/server/src/testing/mailbox.ts'
import { onEachEngine } from '../engines.ts'
import { ask, lonelyProbe } from '../people.ts'
import { eventually } from '../world.ts'

const mailbox = new Mailbox()
const port = await mailbox.start()
afterAll(() => mailbox.stop())

const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** A mail as people read it: quoted-printable taken off. */
const readable = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

onEachEngine(
  (stage, engine) => {
    const email = (name: string) => `${name}-${engine}@example.com`
    let pageId: number
    let monitorId: number
    const post = (path: string, body = '') => ask(stage.world.url, 'POST', path, body, form)
    const subscribe = (address: string, slug = 'told') =>
      post(`/status/${slug}/subscribe`, new URLSearchParams({ email: address }).toString())
    const mailsTo = (address: string) => mailbox.mails.filter(({ to }) => to.includes(address))
    const mailTo = (address: string, count = 1) =>
      eventually(`mail ${count} to ${address}`, async () => {
        const mail = mailsTo(address)[count - 1]
        return mail && readable(mail.text)
      })
    const linkIn = (mail: string) =>
      new URL(/https?:\/\/\S+\/subscriptions\/wp_sub_[\w-]+/.exec(mail)?.[0] ?? '').pathname

    beforeAll(async () => {
      const { owner } = stage.people
      const monitor = { name: 'shop', type: 'tcp', target: '127.0.0.1:9', options: { confirmations: 1 } }
      monitorId = (await owner.post('/v1/monitors', monitor)).body.data.id
      pageId = (await owner.post('/v1/status-pages', { slug: 'told', title: 'Told', language: 'de' })).body.data.id
      await owner.post(`/v1/status-pages/${pageId}/monitors`, { monitor_id: monitorId })
    })

    test('the page leads to a form that works without a script', async () => {
      expect((await ask(stage.world.url, 'GET', '/status/told')).body).toContain('href="/status/told/subscribe"')
      const { body, headers } = await ask(stage.world.url, 'GET', '/status/told/subscribe')
      expect(body).toContain('<form method="post" action="/status/told/subscribe">')
      expect(headers.get('content-security-policy')).toContain("form-action 'self'")
    })

    test('double opt-in: nobody is told who has not opened the link and pressed the button', async () => {
      const ada = email('ada')
      expect((await subscribe(` ${ada.toUpperCase()} `)).body).toContain('Sehen Sie in Ihr Postfach')
      const link = linkIn(await mailTo(ada))
      await stage.people.owner.post('/v1/incidents', { title: 'Too early', monitor_ids: [monitorId] })
      // A mailbox that opens links by itself confirms nothing.
      expect((await ask(stage.world.url, 'GET', link)).body).toContain('Abonnement bestätigen')
      expect((await subscriber(ada))?.confirmed_at).toBeNull()
      expect((await post(`${link}/confirm`)).status).toBe(200)
      expect((await subscriber(ada))?.confirmed_at).not.toBeNull()

      const made = await stage.people.owner.post('/v1/incidents', { title: 'Kasse\nlangsam', monitor_ids: [monitorId] })
      const { id } = made.body.data
      const mail = await mailTo(ada, 2)
      expect(mail).toContain('[Told] Wird untersucht: Kasse langsam')
      expect(mail).toMatch(new RegExp(`List-Unsubscribe:\\s+<http\\S+${link}/leave>`))
      expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')

      // One message for an update; none for what nobody sees, such as its description.
      await stage.people.owner.patch(`/v1/incidents/${id}`, { description: 'for us' })
      await stage.people.owner.post(`/v1/incidents/${id}/updates`, { message: 'Behoben: <b>', status: 'resolved' })
      expect(await mailTo(ada, 3)).toContain('Behoben: <b>')
      await stage.people.owner.post('/v1/incidents', { title: 'Elsewhere' })
      await stage.people.owner.post('/v1/incidents', { title: 'Last', status_page_ids: [pageId] })
      expect(await mailTo(ada, 4)).toContain('Last')

      // One click of a mailbox (RFC 8058).
      const left = await post(`${link}/leave`, 'List-Unsubscribe=One-Click')
      expect(left.status).toBe(200)
      expect(await subscriber(ada)).toBeUndefined()
      expect((await ask(stage.world.url, 'GET', link)).status).toBe(404)
      await stage.people.owner.post('/v1/incidents', { title: 'After', status_page_ids: [pageId] })
      expect(mailsTo(ada)).toHaveLength(4)
    })

    test('asked twice, one link is sent, and the answer tells nobody who is subscribed', async () => {
      const bob = email('bob')
      const [first, second] = [await subscribe(bob), await subscribe(bob)]
      const link = linkIn(await mailTo(bob))
      await post(`${link}/confirm`)
      const third = await subscribe(bob)
      expect([second.body, third.body]).toEqual([first.body, first.body])
      const eve = email('eve')
      await subscribe(eve)
      await mailTo(eve)
      expect(mailsTo(bob)).toHaveLength(1)
    })

    test('what is no address is said so, and nothing is kept', async () => {
      const { status, body } = await subscribe('not an address')
      expect([status, body]).toEqual([422, expect.stringContaining('aria-invalid="true"')])
      expect((await post('/status/told/subscribe', 'mail=x')).status).toBe(400)
      expect(
        (await ask(stage.world.url, 'POST', '/status/told/subscribe', 'x', { 'content-type': 'text/plain' })).status,
      ).toBe(415)
      expect((await post('/v1/incidents', 'title=x')).status).toBe(401)
    })

    test('a link is good for its own page, and guessing leads nowhere', async () => {
      const cora = email('cora')
      await stage.people.owner.post('/v1/status-pages', { slug: 'another', title: 'Another' })
      await subscribe(cora)
      const link = linkIn(await mailTo(cora))
      expect((await post(`${link.replace('/told/', '/another/')}/confirm`)).status).toBe(404)
      expect((await post('/status/told/subscriptions/wp_sub_x/confirm')).status).toBe(404)
      expect((await post('/status/nowhere/subscribe', 'email=a@example.com')).status).toBe(404)
    })

    test('whoever is subscribed may leave a page that has another name, or is private now', async () => {
      const { owner } = stage.people
      const { id } = (await owner.post('/v1/status-pages', { slug: 'moving', title: 'Moving' })).body.data
      const subscribed = async (name: string) => {
        await subscribe(email(name), 'moving')
        const link = linkIn(await mailTo(email(name)))
        expect((await post(`${link}/confirm`)).status).toBe(200)
        return link
      }
      const [fay, gil, hal] = [await subscribed('fay'), await subscribed('gil'), await subscribed('hal')]
      await owner.patch(`/v1/status-pages/${id}`, { slug: 'moved' })
      expect((await ask(stage.world.url, 'GET', fay)).body).toContain('action="/status/moved/subscriptions/')
      expect((await post(`${fay}/leave`)).status).toBe(200)
      await owner.patch(`/v1/status-pages/${id}`, { is_public: false })
      const { status, body, headers } = await ask(stage.world.url, 'GET', gil)
      expect([status, body.includes('Moving')]).toEqual([200, false])
      expect(headers.get('content-security-policy')).toContain("form-action 'self'")
      expect((await post(/action="([^"]+)"/.exec(body)?.[1] as string)).status).toBe(200)
      const list = async () => (await owner.get(`/v1/status-pages/${id}/subscribers`)).body.data
      expect(await list()).toMatchObject([{ email: email('hal') }])
      expect((await post(`${hal}/leave`)).status).toBe(200)
      expect(await list()).toEqual([])
      expect((await ask(stage.world.url, 'GET', hal)).status).toBe(404)
    })

    test('whoever was told that a monitor is down is told when it is deleted', async () => {
      const { owner } = stage.people
      const probe = await lonelyProbe(stage.world, owner)
      const site = { name: 'gone', type: 'tcp', target: '127.0.0.1:9', options: { confirmations: 1 } }
      const monitor_id = (await owner.post('/v1/monitors', site)).body.data.id
      await probe.get('/v1/probe/get-checks')
      const page = (await owner.post('/v1/status-pages', { slug: 'ending', title: 'Ending' })).body.data.id
      await owner.post(`/v1/status-pages/${page}/monitors`, { monitor_id })
      await subscribe(email('ida'), 'ending')
      await post(`${linkIn(await mailTo(email('ida')))}/confirm`)
      await probe.post('/v1/probe/check-result', { monitor_id, status: 'offline', response_time_ms: null })
      expect(await mailTo(email('ida'), 2)).toContain('gone')
      await owner.delete(`/v1/monitors/${monitor_id}`)
      expect(await mailTo(email('ida'), 3)).toContain('The monitor was deleted')
    })

    test('subscribers are for owners and admins to see and delete', async () => {
      const { owner, member, viewer, stranger } = stage.people
      const list = `/v1/status-pages/${pageId}/subscribers`
      const dora = email('dora')
      await subscribe(dora)
      const found = await subscriber(dora)
      for (const [who, status] of [
        [member, 403],
        [viewer, 403],
        [stranger, 404],
      ] as const) {
        expect((await who.get(list)).status).toBe(status)
        expect((await who.delete(`${list}/${found?.id}`)).status).toBe(status)
      }
      expect((await ask(stage.world.url, 'GET', list)).status).toBe(401)
      expect((await owner.delete(`${list}/${found?.id}`)).status).toBe(200)
      expect(await subscriber(dora)).toBeUndefined()
      expect((await owner.delete(`${list}/${found?.id}`)).status).toBe(404)
    })

    async function subscriber(address: string) {
      const { body } = await stage.people.owner.get(`/v1/status-pages/${pageId}/subscribers?per_page=100`)
      return (body.data as { id: number; email: string; confirmed_at: string | null }[]).find(
        each => each.email === address,
      )
    }
  },
  { WATCHPOST_SMTP_URL: `smtp://127.0.0.1:${port}`, WATCHPOST_MAIL_FROM: 'Watchpost <status@example.com>' },
)
