import { type AnyInput, type Client, type Route, type RouteName, routes, UnreachableError } from '@watchpost/contract'
import { Option } from 'commander'
import type { Call, Verb } from '../command.ts'
import { splitPair } from '../flags.ts'
import { refuseUnlessOpen } from '../top/follow.ts'
import { UsageError } from '../usage-error.ts'
import { readSource } from '../verbs/body.ts'

// The longest path then ends at the eightieth column; a longer name has a line of its own.
const nameWidth = 16

const gather = (value: string, earlier: string[] = []) => [...earlier, value]

export const verb: Verb = {
  name: 'api',
  summary: 'Call any route of the API',
  description: `Call any route of the API by its name.\n\nRoutes:\n${listRoutes()}`,
  words: [['<ROUTE>', 'name of the route']],
  options: () => [
    new Option('--param <key=value>', 'part of the path; repeatable').argParser(gather),
    new Option('--query <key=value>', 'part of the query; repeatable').argParser(gather),
    new Option('--body <json>', 'JSON, @FILE, or - for standard input'),
  ],
  forms: ['json', 'yaml'],
  examples: [
    'api listMonitors --query status=offline --query per_page=5',
    'api updateMonitor --param id=7 --body \'{"interval": 30}\'',
    'api getStatus --param slug=acme',
    'api streamEvents',
  ],
  run: callRoute,
}

async function callRoute({ session, words, given }: Call): Promise<void> {
  const name = words[0] ?? ''
  if (!Object.hasOwn(routes, name)) {
    throw new UsageError(`ROUTE: there is no route "${name}"; "monitorctl api --help" lists them`)
  }
  const entry: Route = routes[name as RouteName]
  const input: AnyInput = {
    params: paramsOf(entry, pairs(given.param, '--param')),
    query: pairs(given.query, '--query'),
    ...(given.body === undefined ? {} : { body: await bodyOf(String(given.body), session.io) }),
  }
  if (entry.produces === 'text/event-stream') return copyStream(session, entry.path, pairs(given.query, '--query'))
  const asksForToken = entry.surface === 'user' || entry.surface === 'probe'
  const client = asksForToken ? session.client : session.publicClient()
  const answer = await (client[name as RouteName] as unknown as Untyped)(input)
  if (typeof answer === 'string') session.out.document(answer)
  else await session.out.serialise(shown(entry, answer))
}

/** Events as they come, for as long as they do: no budget ends them. */
async function copyStream(session: Call['session'], path: string, query: Record<string, string>): Promise<void> {
  const signal = session.io.signal ?? new AbortController().signal
  const asked = new URLSearchParams(query).toString()
  const address = asked === '' ? path : `${path}?${asked}`
  const answer = await session.stream(address, { accept: 'text/event-stream' }, signal).catch(error => {
    throw new UnreachableError(`Cannot reach ${session.url}: ${((error as Error).cause as Error).message}`)
  })
  await refuseUnlessOpen(answer)
  answer.setEncoding('utf8')
  try {
    for await (const text of answer) session.out.document(text as string)
  } catch (error) {
    if (!signal.aborted) throw new UnreachableError(`${session.url} broke off: ${(error as Error).message}`)
  }
  if (!signal.aborted) throw new UnreachableError(`${session.url} ended the stream`)
}

type Untyped = (input: AnyInput) => Promise<Awaited<ReturnType<Client[RouteName]>>>

/** As the other commands print it: what `data` holds, and a list with its `meta`. */
function shown(entry: Route, answer: object): unknown {
  if (entry.envelope === 'bare') return answer
  const { data, meta } = answer as { data: unknown; meta?: unknown }
  return entry.envelope === 'list' ? { data, meta } : data
}

function pairs(given: unknown, flag: string): Record<string, string> {
  return Object.fromEntries(
    ((given ?? []) as string[]).map(text => {
      try {
        const [key] = splitPair(text)
        return [key, text.slice(key.length + 1)]
      } catch (error) {
        throw new UsageError(`${flag}: ${(error as Error).message}`)
      }
    }),
  )
}

function paramsOf({ path }: Route, given: Record<string, string>): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  const missing = names.filter(name => given[name] === undefined)
  const odd = Object.keys(given).filter(name => !names.includes(name))
  if (missing.length > 0) throw new UsageError(`--param: ${path} needs ${missing.map(name => `${name}=…`).join(', ')}`)
  if (odd.length > 0) throw new UsageError(`--param: ${path} has no ${odd.join(', ')}`)
  return given
}

async function bodyOf(text: string, io: Call['session']['io']): Promise<unknown> {
  const source = text === '-' || text.startsWith('@') ? text.replace(/^@/, '') : undefined
  try {
    return JSON.parse(source === undefined ? text : await readSource(source, io))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--body: is not JSON (${(error as Error).message})`)
  }
}

function listRoutes(): string {
  return Object.entries(routes)
    .map(([name, { method, path }]) => {
      const lead = name.length > nameWidth ? `${name}\n  ${' '.repeat(nameWidth)}` : name.padEnd(nameWidth)
      return `  ${lead} ${method.padEnd(6)} ${path}`
    })
    .join('\n')
}
