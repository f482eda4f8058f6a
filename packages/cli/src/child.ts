import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Io } from './io.ts'

const codes: Record<string, number> = { ENOENT: 127, EACCES: 126 }

/**
 * Runs a command as it is, without a shell, on our own terminal.
 * @returns its exit code; 128 and the signal's number where one ended it, 126 or 127 where it could not be run
 */
export function runChild([program = '', ...args]: readonly string[], io: Io): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: 'inherit', env: io.env })
    const pass = () => {
      const signal = signalOf(Number(io.signal?.reason))
      // A terminal has told the whole group, the child too; some take a second Ctrl-C for a wish to die.
      if (signal !== undefined && !(signal === 'SIGINT' && io.stdin.isTTY === true)) child.kill(signal)
    }
    io.signal?.addEventListener('abort', pass, { once: true })
    const done = (code: number) => {
      io.signal?.removeEventListener('abort', pass)
      resolve(code)
    }
    child.once('error', (error: NodeJS.ErrnoException) => {
      io.stderr.write(`error: cannot run ${program} (${error.code})\n`)
      done(codes[error.code ?? ''] ?? 126)
    })
    child.once('exit', (code, signal) => done(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

/** The signal that an exit code of 128 and more tells of. */
function signalOf(code: number): NodeJS.Signals | undefined {
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128)
  return found?.[0] as NodeJS.Signals | undefined
}
