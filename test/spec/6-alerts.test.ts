import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { openDb } from '@watchpost/store'
import { newPlace } from '@watchpost/store/testing'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChatService } from '../../packages/server/src/testing/chat-service.ts'
import { Mailbox } from '../../packages/server/src/testing/mailbox.ts'
import { ask, lonelyProbe, Person } from '../people.ts'
import { Receiver } from '../receiver.ts'
import { eventually, type Running, World } from '../world.ts'

/** The public address has the port in it, so it must be known beforehand. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Who is told what of an outage, an incident and a test, each through a real server of its kind. */
describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
  let place: Awaited<ReturnType<typeof newPlace>>
  let world: World
  let owner: Person
  let probe: Person
  let server: Running
  let free: number
  const hook = new Receiver()
  const chosen = new Receiver()
  const slack = new ChatService()
  const discord = new ChatService()
  const telegram = new ChatService()
  const mailbox = new Mailbox()
  const ids: Record<string, number> = {}
  const monitors: Record<string, number> = {}

  const channel = async (name: string, body: object) => {
    const made = await owner.post('/v1/channels', { name, ...body })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    ids[name] = made.body.data.id
  }
  const monitor = async (name: string, options: object = {}) => {
    const body = { name, type: 'tcp', target: 'a.example:22', options: { confirmations: 1, ...options } }
    monitors[name] = (await owner.post('/v1/monitors', body)).body.data.id
    await probe.get('/v1/probe/get-checks')
  }
  const becomes = (name: string, status: string) =>
    probe.post('/v1/probe/check-result', {
      monitor_id: monitors[name],
      status,
      response_time_ms: null,
      ...(status === 'offline' ? { error_message: 'Connection <refused>' } : {}),
    })

  beforeAll(async () => {
    place = await newPlace(engine)
    const port = await mailbox.start()
    free = await freePort()
    world = await World.create({
      ...(place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl }),
      env: {
        WATCHPOST_SMTP_URL: `smtp://u:sesame@127.0.0.1:${port}`,
        WATCHPOST_MAIL_FROM: 'Watchpost <alerts@example.com>',
        WATCHPOST_TELEGRAM_URL: await telegram.start(),
        WATCHPOST_PUBLIC_URL: `http://127.0.0.1:${free}`,
      },
    })
    server = await world.server(`127.0.0.1:${free}`)
    owner = new Person(world, world.credentials.api_token)
    probe = await lonelyProbe(world, owner)
    await monitor('Shop')
    await monitor('Mail')
    const page = await owner.post('/v1/status-pages', { slug: 'acme', title: 'Acme' })
    await owner.post(`/v1/status-pages/${page.body.data.id}/monitors`, { monitor_id: monitors.Shop })
    await channel('hook', { type: 'webhook', url: await hook.start() })
    await channel('chosen', { type: 'webhook', url: await chosen.start(), events: ['alert.triggered'] })
    await channel('slack', { type: 'slack', url: `${await slack.start()}/services/x` })
    await channel('discord', { type: 'discord', url: `${await discord.start()}/api/webhooks/x` })
    await channel('telegram', { type: 'telegram', bot_token: '1:abc', chat_id: '-5' })
    await channel('email', { type: 'email', to: ['ops@example.com'], monitor_ids: [monitors.Shop] })
  })
  afterAll(async () => {
    await world?.close()
    for (const service of [hook, chosen, slack, discord, telegram, mailbox]) await service.stop()
    await place?.remove()
  })

  const counts = () => ({
    slack: slack.posted.length,
    discord: discord.posted.length,
    telegram: telegram.posted.length,
    email: mailbox.mails.length,
  })
  const heard = (receiver: Receiver) => receiver.received.map(({ body }) => body.event)
  const forget = () => {
    for (const { posted } of [slack, discord, telegram]) posted.length = 0
    for (const { received } of [hook, chosen]) received.length = 0
    mailbox.mails.length = 0
  }
  /** How many messages were ever meant for a channel: rows that are there once the event is dispatched. */
  const meant = async (name: string) => (await owner.get(`/v1/channels/${ids[name]}/deliveries`)).body.meta.total
  /** Once programs have heard of the last of it, people have heard all they will: it was written with it. */
  const told = (count: number, people: Partial<ReturnType<typeof counts>>) =>
    eventually(
      `${count} events, ${JSON.stringify(people)}`,
      async () => {
        const seen = JSON.stringify([hook.received.length, counts()])
        if (hook.received.length < count) throw new Error(seen)
        for (const [name, least] of Object.entries(people)) {
          if (counts()[name as 'slack'] < least) throw new Error(seen)
        }
        return true
      },
      10_000,
    )

  test('the first good news is for programs only', async () => {
    await becomes('Shop', 'online')
    await told(1, {})
    expect(heard(hook)).toEqual(['monitor.status_changed'])
    expect(counts()).toEqual({ slack: 0, discord: 0, telegram: 0, email: 0 })
    forget()
  })

  test('of an outage people are told once, programs of each thing that happened, and that people were told', async () => {
    await becomes('Shop', 'offline')
    await told(3, { slack: 1, discord: 1, telegram: 1, email: 1 })
    await eventually('the alert', async () => chosen.received.length === 1)
    expect(heard(hook).sort()).toEqual(['alert.triggered', 'incident.created', 'monitor.status_changed'])
    expect(heard(chosen)).toEqual(['alert.triggered'])
    const people = [ids.slack, ids.discord, ids.telegram, ids.email]
    expect(chosen.received[0]?.body.data).toMatchObject({
      monitor_id: monitors.Shop,
      monitor_name: 'Shop',
      status: 'offline',
      reason: 'status_changed',
      error_message: 'Connection <refused>',
      channel_ids: people,
    })
    expect(await Promise.all(['slack', 'discord', 'telegram', 'email'].map(meant))).toEqual([1, 1, 1, 1])
    const link = `http://127.0.0.1:${free}/status/acme`
    const slackText = JSON.stringify(slack.posted[0]?.body)
    expect(slackText).toContain('Shop is down')
    expect(slackText).toContain('Connection &lt;refused&gt;')
    expect(discord.posted[0]?.body.embeds[0]).toMatchObject({ title: 'Shop is down', url: link })
    expect(telegram.posted[0]).toMatchObject({ path: '/bot1:abc/sendMessage', body: { chat_id: '-5' } })
    for (const text of [slackText, telegram.posted[0]?.body.text, mailbox.mails[0]?.text]) expect(text).toContain(link)
    expect(mailbox.mails[0]).toMatchObject({ to: ['ops@example.com'], user: 'u' })
    expect(mailbox.mails[0]?.text).toContain('Subject: Shop is down')
    forget()
  })

  test('a recovery says how long it was down, once', async () => {
    await becomes('Shop', 'online')
    await told(3, { slack: 1, discord: 1, telegram: 1, email: 1 })
    expect(await Promise.all(['slack', 'discord', 'telegram', 'email'].map(meant))).toEqual([2, 2, 2, 2])
    expect(telegram.posted[0]?.body.text).toMatch(/Shop is up again<\/b>\nWas down for: \d+ s\n/)
    const alert = hook.received.find(({ body }) => body.event === 'alert.triggered')?.body.data
    expect(alert).toMatchObject({ status: 'online', reason: 'status_changed', since: expect.any(String) })
    forget()
  })

  test('a channel of one monitor does not hear of another', async () => {
    await becomes('Mail', 'offline')
    await told(3, { slack: 1, discord: 1, telegram: 1 })
    expect(await meant('email')).toBe(2)
    const alert = hook.received.find(({ body }) => body.event === 'alert.triggered')?.body.data
    expect(alert.channel_ids).toEqual([ids.slack, ids.discord, ids.telegram])
    forget()
  })

  test('what a person writes about an outage people are told, what a monitor writes they know already', async () => {
    const { body } = await owner.get('/v1/incidents?source=automatic&status=investigating')
    await owner.post(`/v1/incidents/${body.data[0].id}/updates`, { message: 'Found <it>', status: 'identified' })
    await told(1, { slack: 1, discord: 1, telegram: 1 })
    expect(telegram.posted[0]?.body.text).toContain('Found &lt;it&gt;')
    forget()
    await becomes('Mail', 'online')
    await told(3, { slack: 1, discord: 1, telegram: 1 })
    expect(counts()).toEqual({ slack: 1, discord: 1, telegram: 1, email: 0 })
    forget()
  })

  test('an incident that a person opens is told to people, without an alert', async () => {
    await owner.post('/v1/incidents', { title: 'Slow @everyone', monitor_ids: [monitors.Shop] })
    await told(1, { slack: 1, discord: 1, telegram: 1, email: 1 })
    expect(heard(hook)).toEqual(['incident.created'])
    expect(discord.posted[0]?.body.allowed_mentions).toEqual({ parse: [] })
    forget()
  })

  test('each can be tested', async () => {
    for (const name of ['slack', 'discord', 'telegram', 'email']) {
      const { body } = await owner.post(`/v1/channels/${ids[name]}/test`, undefined)
      expect(body.data, name).toMatchObject({ delivered: true, error: null })
    }
    expect(counts()).toEqual({ slack: 1, discord: 1, telegram: 1, email: 1 })
    expect(mailbox.mails[0]?.text).toContain('Test of the channel email')
    forget()
  })

  test('a chat that moved is followed, and remembered', async () => {
    telegram.answers = [
      { status: 400, body: '{"ok":false,"parameters":{"migrate_to_chat_id":-1009}}' },
      { status: 200, body: '{"ok":true}' },
    ]
    await owner.post('/v1/incidents', { title: 'Moved' })
    await eventually('both', async () => telegram.posted.length === 2)
    await eventually('it is kept', async () => {
      const { body } = await owner.get(`/v1/channels/${ids.telegram}`)
      return body.data.chat_id === '-1009'
    })
    forget()
  })

  test('a service that has gone is not called again', async () => {
    slack.answers = [{ status: 404, body: 'no_service' }]
    await owner.post('/v1/incidents', { title: 'Gone' })
    await eventually('it is off', async () => {
      const { body } = await owner.get(`/v1/channels/${ids.slack}`)
      return body.data.disabled_reason === 'Slack answered 404: no_service'
    })
    forget()
  })

  test('while it stays down people are reminded, over a restart too, each time once', async () => {
    await monitor('Disk', { reminder_interval: 3600 })
    await becomes('Disk', 'offline')
    await told(3, { discord: 1, telegram: 1 })
    forget()
    // An hour passes.
    const db = await openDb({ dataDir: join(world.dir, 'data'), databaseUrl: place.databaseUrl, exclusiveOwner: false })
    const due = Date.now()
    const sql = 'update outages set started_at = @at, alerted_at = @at, remind_at = @due where remind_at > 0'
    await db.commit([{ query: { name: 'test.hour', sql }, params: { at: due - 3_600_000, due } }])
    await db.close()
    await told(1, { discord: 1, telegram: 1 })
    expect(hook.received[0]?.body).toMatchObject({
      event: 'alert.triggered',
      data: { monitor_id: monitors.Disk, reason: 'reminder', channel_ids: [ids.discord, ids.telegram] },
    })
    expect(telegram.posted[0]?.body.text).toMatch(/Disk is still down<\/b>.*\nDown for: 1 h/s)
    await eventually('all is settled', async () => {
      const paths = Object.values(ids).map(id => `/v1/channels/${id}/deliveries?status=pending`)
      const pending = await Promise.all(paths.map(path => owner.get(path)))
      return pending.every(({ body }) => body.meta.total === 0)
    })
    await server.stop('SIGKILL')
    server = await world.server(`127.0.0.1:${free}`)
    await owner.post('/v1/incidents', { title: 'After the restart' })
    await told(2, { discord: 2, telegram: 2 })
    expect(heard(hook)).toEqual(['alert.triggered', 'incident.created'])
    forget()
  })

  test.each([59, 604_801, '1h'])('a reminder interval of %s is 422', async reminder_interval => {
    const options = { reminder_interval }
    const { status, body } = await owner.post('/v1/monitors', {
      name: 'x',
      type: 'tcp',
      target: 'a.example:22',
      options,
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['options.reminder_interval']])
  })

  test('events are as the OpenAPI document says', async () => {
    await becomes('Shop', 'offline')
    await told(3, {})
    const { body: document } = await ask(world.url, 'GET', '/openapi.json')
    const ajv = new Ajv({ strict: false, formats: { 'date-time': true } }).addSchema(document, 'api')
    for (const { body } of hook.received) {
      const pointer = `api#/webhooks/${body.event}/post/requestBody/content/application~1json/schema`
      expect(ajv.validate({ $ref: pointer }, body), ajv.errorsText()).toBe(true)
    }
  })
})
