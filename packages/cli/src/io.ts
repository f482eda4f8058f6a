import type { Readable, Writable } from 'node:stream'

/** Where text goes to; a terminal says so, and how wide it is. */
export type Sink = Writable & { isTTY?: boolean; columns?: number; rows?: number }

/** Everything the program has of the world. Tests hand in their own. */
export interface Io {
  env: Record<string, string | undefined>
  stdout: Sink
  stderr: Sink
  stdin: Readable & { isTTY?: boolean }
  /** Aborted on SIGINT and SIGTERM; the reason is the exit code. */
  signal?: AbortSignal
}

/** Whether colour helps there: on a terminal, unless the person said otherwise (no-color.org). */
export function wantsColour(sink: Sink, env: Io['env']): boolean {
  return sink.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Whether a screen may be opened: Ink needs raw mode, and a log collector wants lines. */
export function canOpenScreen(io: Io): boolean {
  return io.stdout.isTTY === true && io.stdin.isTTY === true && io.env.TERM !== 'dumb' && !io.env.CI
}
