import { type AnyInput, type Client, type Route, type RouteName, routes } from '@watchpost/contract'
import { Option } from 'commander'
import type { Call, Verb } from '../command.ts'
import { splitPair } from '../flags.ts'
import { UsageError } from '../usage-error.ts'
import { readSource } from '../verbs/body.ts'

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
  examples: [
    'api listMonitors --query status=offline --query per_page=5',
    'api updateMonitor --param id=7 --body \'{"interval": 30}\'',
    'api getStatus --param slug=acme',
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
  const asksForToken = entry.surface === 'user' || entry.surface === 'probe'
  const client = asksForToken ? session.client : session.publicClient()
  const answer = await (client[name as RouteName] as unknown as Untyped)(input)
  if (typeof answer === 'string') session.out.document(answer)
  else await session.out.serialise(shown(entry, answer))
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
    .map(([name, entry]) => `  ${name.padEnd(18)} ${entry.method.padEnd(6)} ${entry.path}`)
    .join('\n')
}
