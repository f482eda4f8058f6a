import { Option } from 'commander'
import { ask, canAsk, firstLine } from '../ask.ts'
import type { Verb } from '../command.ts'
import { resolveServer } from '../config.ts'
import { currentContext, readContexts, writeContexts } from '../contexts.ts'
import { callerLine } from '../format/team.ts'
import type { Io } from '../io.ts'
import { Session } from '../session.ts'
import { UsageError } from '../usage-error.ts'

export const verb: Verb = {
  name: 'login',
  summary: 'Remember a server and a token',
  description:
    'Remember a server and a token. Asks for what is not given; a token may also come on standard input, where other ' +
    'users of this machine cannot see it.',
  options: () => [new Option('--name <name>', 'what to call it; the host of the address if absent')],
  examples: [
    'login',
    'login --url https://watch.example.com < token-file',
    'login --url http://127.0.0.1:8080 --token wp_api_… --name home',
  ],
  async run({ session, given }) {
    const { io, out, flags } = session
    const env = io.env
    const url = flags.url ?? (env.WATCHPOST_URL || (await askUrl(io)))
    // Before a token is typed for an address that cannot be one.
    resolveServer({ url }, {}, true)
    const token =
      flags.token ?? (env.WATCHPOST_TOKEN || undefined) ?? (env.WATCHPOST_TOKEN_FILE ? undefined : await askToken(io))
    const server = resolveServer({ url, token }, { WATCHPOST_TOKEN_FILE: env.WATCHPOST_TOKEN_FILE, ...nowhere })
    const name = given.name === undefined ? new URL(server.url).host : String(given.name)
    const { data } = await new Session(io, { ...flags, url: server.url, token: server.token }).client.getTeam()
    const kept = readContexts(env)
    const context = { url: server.url, token: server.token as string }
    writeContexts(env, { current: name, contexts: { ...kept.contexts, [name]: context } })
    if (out.format === 'table') out.note(`Logged in as ${callerLine(data)}; context "${name}" is current.`)
    else await out.serialise({ name, url: server.url })
  },
}

/** No context of before may lend its token. */
const nowhere = { XDG_CONFIG_HOME: '/nonexistent' }

async function askUrl(io: Io): Promise<string> {
  if (!canAsk(io)) throw new UsageError('login needs --url where nobody can be asked')
  const before = currentContext(io.env).url ?? 'http://127.0.0.1:8080'
  return (await ask(`Address of the server [${before}]: `, io)) || before
}

async function askToken(io: Io): Promise<string> {
  const token = canAsk(io) ? await ask('API token: ', io, true) : await firstLine(io)
  if (token === '') throw new UsageError('login needs --token, or a token on standard input')
  return token
}
