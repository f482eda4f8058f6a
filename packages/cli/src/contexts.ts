import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from './io.ts'
import { UsageError } from './usage-error.ts'

/** A server and a token of it, under a name. */
export interface Context {
  url?: string
  token?: string
}

/** What `config.json` holds. */
export interface Contexts {
  current?: string
  contexts: Record<string, Context>
}

function pathOf(env: Io['env']): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'watchpost', 'config.json')
}

/** What was kept; nothing where there is no file. */
export function readContexts(env: Io['env']): Contexts {
  const path = pathOf(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return { contexts: {} }
  }
  try {
    const { current, contexts = {} } = JSON.parse(text) ?? {}
    return { ...(typeof current === 'string' ? { current } : {}), contexts }
  } catch {
    throw new UsageError(`${path}: is not JSON; mend or remove it`)
  }
}

/** Keeps it where nobody but its owner reads it: there are tokens in it. Whoever reads at the same moment sees a whole file. */
export function writeContexts(env: Io['env'], contexts: Contexts): void {
  const path = pathOf(env)
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 })
    // The mode above counts only for a file that is new.
    chmodSync(draft, 0o600)
    renameSync(draft, path)
  } catch (error) {
    throw new UsageError(`cannot write ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The context that holds where nothing else is said. */
export function currentContext(env: Io['env']): Context {
  const { current, contexts } = readContexts(env)
  return current !== undefined && Object.hasOwn(contexts, current) ? (contexts[current] as Context) : {}
}
