import { PassThrough, Readable, Writable } from 'node:stream'
import type { Io, Sink } from '../io.ts'
import { run } from '../main.ts'
import type { ServerDouble } from './server-double.ts'

/** A sink that keeps what is written to it. */
export class Kept extends Writable implements Sink {
  text = ''
  isTTY?: boolean
  columns?: number
  rows?: number

  constructor(terminal?: { columns: number; rows?: number }) {
    super()
    if (terminal !== undefined) Object.assign(this, { isTTY: true, rows: 24 }, terminal)
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk
    done()
  }
}

export interface Run {
  code: number
  stdout: string
  stderr: string
}

export interface World {
  server?: ServerDouble | undefined
  env?: Io['env']
  stdin?: string
  /** Columns of the terminal that standard output is. */
  terminal?: number
  signal?: AbortSignal
  /** Called with standard output as it grows. */
  onOutput?: (text: string) => void
}

/** Runs the program in this process against a server double: `monitorctl(['monitors', 'list'], { server })`. */
export async function monitorctl(argv: string[], world: World = {}): Promise<Run> {
  const stdout = new Kept(world.terminal === undefined ? undefined : { columns: world.terminal })
  const stderr = new Kept()
  const { server, onOutput } = world
  const io: Io = {
    env: {
      HOME: '/nonexistent',
      ...(server === undefined ? {} : { WATCHPOST_URL: server.url, WATCHPOST_TOKEN: server.token }),
      ...world.env,
    },
    stdout,
    stderr,
    stdin: world.stdin === undefined ? new PassThrough().end() : Readable.from([world.stdin]),
    ...(world.signal === undefined ? {} : { signal: world.signal }),
  }
  if (onOutput !== undefined) {
    const write = stdout._write.bind(stdout)
    stdout._write = (chunk, encoding, done) => {
      write(chunk, encoding, done)
      onOutput(stdout.text)
    }
  }
  const code = await run(argv, io)
  return { code, stdout: stdout.text, stderr: stderr.text }
}
