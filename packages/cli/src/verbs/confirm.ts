import { escapeText } from '../escape.ts'
import { Interrupted } from '../interrupted.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'

/** Asks on a terminal; where nobody can answer, `--yes` must have been given. */
export async function confirm(question: string, io: Io): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) {
    throw new UsageError('deleting needs --yes where nobody can be asked')
  }
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  try {
    const answer = await Promise.race([
      terminal.question(`${escapeText(question)} [y/N] `),
      new Promise<string>((resolve, reject) => {
        terminal.once('SIGINT', () => {
          io.stderr.write('\n')
          reject(new Interrupted())
        })
        terminal.once('close', () => resolve(''))
      }),
    ])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}
