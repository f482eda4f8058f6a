import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const root = new URL('..', import.meta.url).pathname
const execute = promisify(execFile)

/** A program of `bin/`, or npm, running. */
export class Running {
  readonly child: ChildProcess
  /** Everything it wrote, for when a test fails. */
  output = ''
  private readonly lines: string[] = []
  private waiting: (() => void)[] = []

  constructor(program: string, args: string[], env: Record<string, string>) {
    this.child = spawn(program === 'npm' ? program : join(root, 'bin', program), args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.child.stdout, this.child.stderr]) {
      if (stream === null) continue
      createInterface({ input: stream }).on('line', line => {
        this.output += `${line}\n`
        if (stream === this.child.stdout) this.lines.push(line)
        for (const wake of this.waiting.splice(0)) wake()
      })
    }
    this.child.on('exit', () => {
      for (const wake of this.waiting.splice(0)) wake()
    })
  }

  /** The first event of this name that it wrote on standard output. */
  async event<T>(name: string): Promise<T> {
    for (;;) {
      const event = this.lines.map(readJson).find(line => line?.event === name)
      if (event !== undefined) return event as T
      if (this.child.exitCode !== null) throw new Error(`it ended before "${name}":\n${this.output}`)
      await new Promise<void>(resolve => this.waiting.push(resolve))
    }
  }

  /** Resolves once it has written this anywhere. */
  async wrote(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.output)) {
      if (this.child.exitCode !== null) throw new Error(`it ended before it wrote ${pattern}:\n${this.output}`)
      await new Promise<void>(resolve => this.waiting.push(resolve))
    }
  }

  /** Its exit code, or the signal that ended it, once it has ended by itself. */
  async exit(): Promise<number | string | null> {
    const { child } = this
    if (child.exitCode === null && child.signalCode === null) await new Promise(resolve => child.once('exit', resolve))
    return child.exitCode ?? child.signalCode
  }

  /** @returns its exit code, or the signal that ended it */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    this.child.kill(signal)
    return this.exit()
  }
}

function readJson(line: string): { event?: string } | undefined {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What a program of `bin/` did, run to its end. */
export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export async function runProgram(program: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  try {
    const { stdout, stderr } = await execute(join(root, 'bin', program), args, { env: { ...process.env, ...env } })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

export interface Credentials {
  team_id: number
  email: string
  password: string
  api_token: string
}

/** A test asks more often than a person may. */
const unlimited = {
  WATCHPOST_RATE_LIMIT_TOKEN_HOUR: '0',
  WATCHPOST_RATE_LIMIT_TOKEN_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_ANONYMOUS_HOUR: '0',
  WATCHPOST_RATE_LIMIT_PROBE_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_SESSION_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_LOGIN_15MIN: '0',
  WATCHPOST_RATE_LIMIT_REGISTRATION_HOUR: '0',
  WATCHPOST_RATE_LIMIT_RUM_KEY_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_RUM_ADDRESS_MINUTE: '0',
  WATCHPOST_RATE_LIMIT_SUBSCRIPTION_HOUR: '0',
}

export interface WorldOptions {
  databaseUrl?: string
  env?: Record<string, string>
}

/** A data directory with a first team, and the programs that run on it. */
export class World {
  readonly dir: string
  readonly credentials: Credentials
  readonly storage: string[]
  readonly env: Record<string, string>
  private readonly started: Running[] = []
  url = ''

  private constructor(dir: string, credentials: Credentials, storage: string[], env: Record<string, string>) {
    this.dir = dir
    this.credentials = credentials
    this.storage = storage
    this.env = env
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    const dir = await mkdtemp(join(tmpdir(), 'watchpost-world-'))
    const storage = ['--data-dir', join(dir, 'data')]
    if (options.databaseUrl !== undefined) storage.push('--database-url', options.databaseUrl)
    const env = {
      WATCHPOST_CHANNEL_PRIVATE: 'allow',
      WATCHPOST_INSTANCE_KEY: 'a key for tests',
      ...unlimited,
      ...options.env,
    }
    const made = await runProgram('watchpost-server', ['bootstrap', ...storage, '--json'], env)
    if (made.code !== 0) throw new Error(made.stderr)
    return new World(dir, JSON.parse(made.stdout), storage, env)
  }

  /** A server on a free port, or on the one it had. */
  async server(listen = '127.0.0.1:0'): Promise<Running> {
    const server = this.start('watchpost-server', [
      'serve',
      ...this.storage,
      '--listen',
      listen,
      '--otlp-listen',
      '127.0.0.1:0',
    ])
    this.url = (await server.event<{ url: string }>('listening')).url
    return server
  }

  /** A probe with a token of its own, fetching. */
  async probe(token: string, name = 'probe', url = this.url): Promise<Running> {
    const args = ['run', '--server', url, '--spool-dir', join(this.dir, `spool-${name}`)]
    const probe = this.start('watchpost-probe', args, { WATCHPOST_PROBE_TOKEN: token })
    await probe.event('running')
    return probe
  }

  start(program: string, args: string[], env: Record<string, string> = {}): Running {
    const running = new Running(program, args, { ...this.env, ...env })
    this.started.push(running)
    return running
  }

  monitorctl(...args: string[]): Promise<Ran> {
    return runProgram('monitorctl', args, { WATCHPOST_URL: this.url, WATCHPOST_TOKEN: this.credentials.api_token })
  }

  /** What `monitorctl … -o json` prints. */
  async ctl<T>(...args: string[]): Promise<T> {
    const ran = await this.monitorctl(...args, '-o', 'json')
    if (ran.code !== 0) throw new Error(`monitorctl ${args.join(' ')}: ${ran.code}\n${ran.stderr}`)
    return JSON.parse(ran.stdout)
  }

  async close(): Promise<void> {
    await Promise.all(this.started.map(running => running.stop('SIGKILL')))
    await rm(this.dir, { recursive: true, force: true })
  }
}

/** Resolves with what `look` returns once it returns something; rejects when that takes too long. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined | false>, ms = 60_000): Promise<T> {
  const until = Date.now() + ms
  let last: unknown
  while (Date.now() < until) {
    try {
      const seen = await look()
      if (seen !== undefined && seen !== false) return seen
    } catch (error) {
      last = error
    }
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`it never came true: ${what}${last === undefined ? '' : `\n${last}`}`)
}
