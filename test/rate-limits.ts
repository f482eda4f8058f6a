import { expect } from 'vitest'
import { type Answer, ask, Person } from './people.ts'
import { type Running, World } from './world.ts'

const minuteMs = 60_000

/** A world with one server that has these limits and no others. */
export async function limitedWorld(limits: Record<string, number | string>): Promise<LimitedWorld> {
  const env = Object.entries(limits).map(([name, value]) => [`WATCHPOST_${name}`, String(value)])
  const world = await World.create({ env: Object.fromEntries(env) })
  const server = await world.server()
  await roomInThisMinute()
  return {
    world,
    server,
    owner: new Person(world, world.credentials.api_token),
    anyone: (path, headers) => ask(world.url, 'GET', path, undefined, headers),
  }
}

export interface LimitedWorld {
  world: World
  server: Running
  owner: Person
  anyone(path: string, headers?: Record<string, string>): Promise<Answer>
}

/** A test must not be split by the end of a window: within the last seconds of a minute the next is awaited. */
async function roomInThisMinute(ms = 6_000) {
  const rest = minuteMs - (Date.now() % minuteMs)
  if (rest < ms) await new Promise(resolve => setTimeout(resolve, rest + 20))
}

export const from = (address: string) => ({ 'x-forwarded-for': address })
export const left = ({ headers }: Pick<Answer, 'headers'>) => headers.get('x-ratelimit-remaining')
export const statuses = (answers: Answer[]) => answers.map(({ status }) => status)

export async function times(count: number, one: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  while (answers.length < count) answers.push(await one())
  return answers
}

/** What every counted answer says. */
export function expectHeaders({ headers }: Answer, limit: number, remaining: number, windowS: number): void {
  const now = Date.now() / 1000
  const reset = Number(headers.get('x-ratelimit-reset'))
  expect([headers.get('x-ratelimit-limit'), left({ headers })]).toEqual([`${limit}`, `${remaining}`])
  expect(reset % windowS).toBe(0)
  expect(reset - now).toBeGreaterThan(-2)
  expect(reset - now).toBeLessThanOrEqual(windowS)
  const [, name, r, t] = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  expect(Number(r)).toBe(remaining)
  expect(Math.abs(Number(t) - (reset - now))).toBeLessThan(3)
  expect(headers.get('ratelimit-policy')?.split(', ')).toContain(`"${name}";q=${limit};w=${windowS}`)
}

/** What a refused request is told. */
export function expectRefused(answer: Answer): void {
  const { status, body, headers } = answer
  expect(status).toBe(429)
  expect(body).toMatchObject({
    success: false,
    error: true,
    code: 'rate_limit_exceeded',
    status: 429,
    errors: {},
    message: expect.stringMatching(/^Rate limit exceeded: \d+ per (minute|hour)$/),
  })
  expect(body.retry_after).toBeGreaterThanOrEqual(1)
  expect(headers.get('retry-after')).toBe(String(body.retry_after))
  expect(Math.abs(Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000 - body.retry_after)).toBeLessThan(3)
  expect(left(answer)).toBe('0')
  expect(headers.get('access-control-allow-origin')).toBe('*')
}
