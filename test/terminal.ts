import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from './world.ts'

const execute = promisify(execFile)
const path = `${join(new URL('..', import.meta.url).pathname, 'bin')}:${process.env.PATH}`

/** A terminal of tmux's, with a program in it. */
export class Terminal {
  private readonly socket = `watchpost-${randomBytes(6).toString('hex')}`
  // A window's path is that of who opens it, whatever else is said.
  private readonly tmux = async (...args: string[]) =>
    (await execute('tmux', ['-L', this.socket, '-f', '/dev/null', ...args], { env: { ...process.env, PATH: path } }))
      .stdout

  /** @param command for a shell; `monitorctl` is in its path */
  static async open(
    command: string,
    env: Record<string, string> = {},
    { columns = 80, rows = 24 } = {},
  ): Promise<Terminal> {
    const terminal = new Terminal()
    const given = { ...env, CI: '', LANG: 'C.UTF-8' }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const size = ['-x', String(columns), '-y', String(rows)]
    // As root the shell would say so; the prompt is to be known.
    await terminal.tmux('new-session', '-d', ...size, ...flags, 'sh')
    await terminal.type(`${command}`, 'Enter')
    return terminal
  }

  /** Presses keys, by tmux's names. */
  async type(...keys: string[]): Promise<void> {
    await this.tmux('send-keys', '--', ...keys)
  }

  /** Pastes as a terminal does: in brackets, where the program asked for them. */
  async paste(text: string): Promise<void> {
    await this.tmux('set-buffer', '--', text)
    await this.tmux('paste-buffer', '-p')
  }

  /** What is to be seen; with `colour`, with the escapes that colour it. */
  screen(colour = false): Promise<string> {
    return this.tmux('capture-pane', '-p', ...(colour ? ['-e'] : []))
  }

  /** A format of tmux's: `#{alternate_on}`, `#{pane_pid}`. */
  async is(format: string): Promise<string> {
    return (await this.tmux('display-message', '-p', format)).trim()
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /** Resolves with the screen once it shows this. */
  shows(part: string | RegExp, ms = 60_000): Promise<string> {
    let last = ''
    return eventually(
      `the screen shows ${part}`,
      async () => {
        last = await this.screen()
        return (typeof part === 'string' ? last.includes(part) : part.test(last)) && last
      },
      ms,
    ).catch(error => {
      throw new Error(`${error.message}\n${last}`)
    })
  }

  async close(): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined)
  }
}
