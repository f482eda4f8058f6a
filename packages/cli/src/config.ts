import { readFileSync } from 'node:fs'
import { currentContext } from './contexts.ts'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/** The control plane to talk to, and as whom. */
export interface Server {
  url: string
  token: string | undefined
}

export interface ServerFlags {
  url?: string | undefined
  token?: string | undefined
}

/**
 * Which server is meant: flags beat the environment, which beats the current context of `config.json`.
 * @param anonymous true where the route asks for no credential
 */
export function resolveServer(flags: ServerFlags, env: Io['env'], anonymous = false): Server {
  const given = {
    url: flags.url ?? (env.WATCHPOST_URL || undefined),
    token: flags.token ?? (env.WATCHPOST_TOKEN || undefined) ?? tokenFromFile(env.WATCHPOST_TOKEN_FILE),
  }
  const context = given.url !== undefined && given.token !== undefined ? {} : currentContext(env)
  const url = given.url ?? context.url
  // A context's token belongs to its own server and is shown to no other.
  const token = given.token ?? (url !== undefined && sameServer(url, context.url) ? context.token : undefined)
  if (url === undefined) {
    throw new UsageError(
      'no server given: set --url and --token, or WATCHPOST_URL and WATCHPOST_TOKEN (or WATCHPOST_TOKEN_FILE); "monitorctl login" keeps them',
    )
  }
  if (token === undefined && !anonymous) {
    throw new UsageError(`no token given for ${url}: set --token, WATCHPOST_TOKEN or WATCHPOST_TOKEN_FILE`)
  }
  return { url: checkUrl(url), token: token === undefined ? undefined : checkToken(token) }
}

function checkUrl(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`server URL "${text}": must be like http://127.0.0.1:8080 (--url or WATCHPOST_URL)`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`server URL for ${url.host}: must not hold a name or password; give a token instead`)
  }
  return text.replace(/\/+$/, '')
}

/** Never repeats the token: the line ends up in logs. */
function checkToken(token: string): string {
  if (token === '') throw new UsageError('token: is empty (--token, WATCHPOST_TOKEN or WATCHPOST_TOKEN_FILE)')
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      'token: holds a space or a character that no token has; copy it again (--token, WATCHPOST_TOKEN)',
    )
  }
  return token
}

function tokenFromFile(path: string | undefined): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`WATCHPOST_TOKEN_FILE: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

function sameServer(a: string, b: string | undefined): boolean {
  const first = URL.parse(a)
  const second = URL.parse(b ?? '')
  return first !== null && first.origin === second?.origin && trimmed(first.pathname) === trimmed(second.pathname)
}

const trimmed = (path: string) => path.replace(/\/+$/, '')
