import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Interrupted } from './interrupted.ts'
import type { Io } from './io.ts'

/** Whether there is somebody to ask. */
export function canAsk(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true
}

/** Asks a person on the terminal. @param hidden what is typed does not appear: a secret */
export async function ask(question: string, io: Io, hidden = false): Promise<string> {
  io.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: io.stdin, output: hidden ? nowhere : io.stderr, terminal: true })
  let answered = false
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', line => resolve(line.trim()))
      terminal.once('SIGINT', () => reject(new Interrupted()))
      // Ctrl-D, or the terminal went away: there is nobody to ask again.
      terminal.once('close', () => {
        if (!answered && !hidden) io.stderr.write('\n')
        reject(new Interrupted())
      })
    })
  } finally {
    answered = true
    terminal.close()
    if (hidden) io.stderr.write('\n')
  }
}

/** The first line of standard input that is no terminal: `monitorctl login < token`. */
export async function firstLine(io: Io): Promise<string> {
  const lines = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  for await (const line of lines) return line.trim()
  return ''
}
