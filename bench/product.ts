import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = new URL('..', import.meta.url).pathname

/** A server of ours as people start it, with data of its own and without limits on how often it may be asked. */
export interface Product {
  url: string
  pid: number
  dataDir: string
  token: string
  ask(method: string, path: string, body?: unknown, token?: string): Promise<Answer>
  stop(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it asked for
type Answer = any

const env = {
  ...process.env,
  WATCHPOST_RATE_LIMIT_TOKEN_HOUR: '0',
  WATCHPOST_RATE_LIMIT_TOKEN_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR: '0',
  WATCHPOST_RATE_LIMIT_PROBE_MINUTE: '0',
}

export async function startProduct(dataDir = mkdtempSync(join(tmpdir(), 'watchpost-bench-'))): Promise<Product> {
  const server = join(root, 'bin/watchpost-server')
  const made = execFileSync(process.execPath, [server, 'bootstrap', '--data-dir', dataDir, '--json'], { env })
  const { api_token: token } = JSON.parse(made.toString()) as { api_token: string }
  const args = [server, 'serve', '--data-dir', dataDir, '--listen', '127.0.0.1:0', '--otlp-listen', 'off']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await listening(child)
  const ask = async (method: string, path: string, body?: unknown, as = token): Promise<Answer> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  return {
    url,
    pid: child.pid as number,
    dataDir,
    token,
    ask,
    async stop() {
      const ended = new Promise(resolve => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { event: string; url: string }
    if (event.event === 'listening') return event.url
  }
  throw new Error('the server ended before it listened')
}
