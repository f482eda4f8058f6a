import { judgeAnswer } from './document.ts'
import { runProgram, type World } from './world.ts'

/** The cast of every test about who may do what. */
export interface People {
  owner: Person
  member: Person
  viewer: Person
  /** Owner of another team on the same server. */
  stranger: Person
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  body: any
  headers: Headers
}

/** Somebody with a token, speaking plain HTTP. */
export class Person {
  private readonly world: World
  private readonly token: string

  constructor(world: World, token: string) {
    this.world = world
    this.token = token
  }

  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return ask(this.world.url, method, path, body, { authorization: `Bearer ${this.token}`, ...headers })
  }

  get = (path: string) => this.ask('GET', path)
  post = (path: string, body: unknown) => this.ask('POST', path, body)
  put = (path: string, body: unknown) => this.ask('PUT', path, body)
  patch = (path: string, body: unknown) => this.ask('PATCH', path, body)
  delete = (path: string) => this.ask('DELETE', path)
}

/** One request, as any client would send it; a string body is sent as it is. The answer is held to the document. */
export async function ask(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json')
  const answer = json && text !== '' ? JSON.parse(text) : text
  if (json && method !== 'OPTIONS') await judgeAnswer(url, method, path, response.status, answer)
  return { status: response.status, body: answer, headers: response.headers }
}

export async function castOf(world: World): Promise<People> {
  const owner = new Person(world, world.credentials.api_token)
  const made = async (role: string) => {
    const { status, body } = await owner.post('/v1/tokens', { name: role, role, scopes: ['status-pages:write'] })
    if (status !== 201) throw new Error(JSON.stringify(body))
    return new Person(world, body.data.token)
  }
  const other = await runProgram(
    'watchpost-server',
    ['team', 'create', ...world.storage, '--name', 'Others', '--email', 'stranger@example.com', '--json'],
    world.env,
  )
  if (other.code !== 0) throw new Error(other.stderr)
  return {
    owner,
    member: await made('member'),
    viewer: await made('viewer'),
    stranger: new Person(world, JSON.parse(other.stdout).api_token),
  }
}

/** A probe whose own server monitor is gone: for tests that count every event of a team. */
export async function lonelyProbe(world: World, owner: Person, name = 'p'): Promise<Person> {
  const { token, monitor_id } = (await owner.post('/v1/probes', { name })).body.data
  await owner.delete(`/v1/monitors/${monitor_id}`)
  return new Person(world, token)
}
