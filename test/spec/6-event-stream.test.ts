import { afterEach, beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../engines.ts'
import { lonelyProbe, type Person } from '../people.ts'

interface Told {
  id: string | undefined
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  data: any
}

/** Reads a stream of server-sent events as a browser does. */
class Follower {
  private readonly stop = new AbortController()
  private readonly told: Told[] = []
  private waiting: (() => void)[] = []
  ended = false
  response: Response | undefined

  async open(url: string, headers: Record<string, string>): Promise<this> {
    this.response = await fetch(`${url}/v1/events`, { headers, signal: this.stop.signal })
    if (this.response.status === 200) this.read(this.response).catch(() => undefined)
    return this
  }

  private async read(response: Response): Promise<void> {
    let text = ''
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += Buffer.from(chunk).toString()
      const parts = text.split('\n\n')
      text = parts.pop() as string
      for (const part of parts) this.take(part)
      this.wake()
    }
    this.ended = true
    this.wake()
  }

  private take(part: string): void {
    const fields = new Map(part.split('\n').map(line => line.split(/: (.*)/s, 2) as [string, string]))
    const event = fields.get('event')
    if (event !== undefined)
      this.told.push({ id: fields.get('id'), event, data: JSON.parse(fields.get('data') as string) })
  }

  private wake(): void {
    for (const wake of this.waiting.splice(0)) wake()
  }

  async next(event: string): Promise<Told> {
    for (;;) {
      const index = this.told.findIndex(told => told.event === event)
      if (index >= 0) return this.told.splice(0, index + 1).at(-1) as Told
      await new Promise<void>(resolve => this.waiting.push(resolve))
    }
  }

  async end(): Promise<void> {
    while (!this.ended) await new Promise<void>(resolve => this.waiting.push(resolve))
  }

  close(): void {
    this.stop.abort()
  }
}

onEachEngine(stage => {
  const followers: Follower[] = []
  let monitorId: number
  let probe: Person

  const follow = async (token: string, more: Record<string, string> = {}) => {
    const follower = await new Follower().open(stage.world.url, { authorization: `Bearer ${token}`, ...more })
    followers.push(follower)
    return follower
  }
  const tokenOf = async (role: string, who = stage.people.owner) =>
    (await who.post('/v1/tokens', { name: 'follower', role })).body.data as { id: number; token: string }
  const report = (status: string) =>
    probe.post('/v1/probe/check-result', { monitor_id: monitorId, status, response_time_ms: 5 })

  beforeAll(async () => {
    const { owner } = stage.people
    const options = { confirmations: 1 }
    const site = { name: 'Shop', type: 'tcp', target: 'shop.example:443', options }
    monitorId = (await owner.post('/v1/monitors', site)).body.data.id
    probe = await lonelyProbe(stage.world, owner)
    await probe.get('/v1/probe/get-checks')
  })
  afterEach(() => {
    for (const follower of followers.splice(0)) follower.close()
  })

  test('a viewer is told of every check, and of what webhooks are told', async () => {
    const follower = await follow((await tokenOf('viewer')).token)
    expect(follower.response?.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    await report('online')
    expect((await follower.next('monitor.checked')).data).toEqual({
      monitor_id: monitorId,
      status: 'online',
      response_time_ms: 5,
      last_check_at: expect.stringMatching(/Z$/),
    })
    await report('offline')
    const { id, data } = await follower.next('monitor.status_changed')
    expect(id).toMatch(/^msg_/)
    expect(data).toMatchObject({ event: 'monitor.status_changed', data: { new_status: 'offline' } })
  })

  test('whoever was away gets what was missed, by the last id', async () => {
    const { token } = await tokenOf('viewer')
    const first = await follow(token)
    await report('online')
    const { id } = await first.next('monitor.status_changed')
    first.close()
    await report('offline')
    await report('online')
    const second = await follow(token, { 'last-event-id': id as string })
    expect((await second.next('monitor.status_changed')).data.data.new_status).toBe('offline')
    expect((await second.next('monitor.status_changed')).data.data.new_status).toBe('online')
  })

  test('a stranger is told of his own team only', async () => {
    const { token } = await tokenOf('viewer', stage.people.stranger)
    const follower = await follow(token)
    await report('offline')
    await stage.people.stranger.post('/v1/incidents', { title: 'Mine' })
    expect((await follower.next('incident.created')).data.data.title).toBe('Mine')
  })

  test('a revoked token ends the stream, and opens none', async () => {
    const { id, token } = await tokenOf('viewer')
    const follower = await follow(token)
    await stage.people.owner.delete(`/v1/tokens/${id}`)
    await follower.end()
    expect((await follow(token)).response?.status).toBe(401)
  })
})
