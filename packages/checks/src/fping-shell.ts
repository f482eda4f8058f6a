import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** What a run of fping says, line by line, and how it ended: an exit code, or the error that kept it from starting. */
export interface FpingListener {
  line(text: string): void
  end(how: number | Error): void
}

/**
 * Runs `fping` with what it reads from a line, again and again, each time as a process of its own whose id is told.
 * A line holds numbers, flags and addresses; nothing in it is expanded or evaluated. One that is killed leaves half a line.
 */
const script = 'set -f; while read -r args; do fping $args 2>&1 & echo "@ $!"; wait $!; printf "\\n= %s\\n" $?; done'
const unwanted: FpingListener = { line: () => undefined, end: () => undefined }
const mostIdle = 8
const maxLine = 1000

/**
 * A shell that starts fping for us. Forking a Node process copies the tables of all its memory and halts it meanwhile,
 * ten milliseconds at a time; a shell is small.
 */
export class FpingShell {
  static readonly #idle: FpingShell[] = []
  readonly #path = process.env.PATH
  readonly #shell: ChildProcessByStdio<Writable, Readable, null>
  #listener: FpingListener | undefined
  #pid: number | undefined
  #rest = ''

  private constructor() {
    this.#shell = spawn('/bin/sh', ['-c', script], {
      env: { ...process.env, LC_ALL: 'C', LANG: 'C' },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.#shell.once('error', error => this.#end(error))
    // Without a file to spare there are no pipes either, whatever the types say.
    if (this.#shell.pid === undefined) return
    this.#shell.stdin.on('error', () => undefined)
    this.#shell.stdout.setEncoding('latin1').on('data', (chunk: string) => this.#read(chunk))
    this.#shell.once('close', () => this.#end(new Error('the shell of fping ended')))
  }

  /** @param args numbers, flags and addresses, separated by blanks */
  static run(args: string, listener: FpingListener): FpingShell {
    let shell = FpingShell.#idle.pop()
    while (shell !== undefined && !shell.#isFit()) {
      shell.#shell.stdin.end()
      shell = FpingShell.#idle.pop()
    }
    shell ??= new FpingShell()
    shell.#start(args, listener)
    return shell
  }

  /** Ends the run; the listener is told nothing more. */
  kill(): void {
    if (this.#listener === undefined) return
    this.#listener = unwanted
    this.#killUnwanted()
  }

  /** What fping said can be read before its process id: it is killed once that is known. */
  #killUnwanted(): void {
    if (this.#listener !== unwanted || this.#pid === undefined) return
    try {
      process.kill(this.#pid, 'SIGKILL')
    } catch {
      // It ended by itself just now.
    }
  }

  #isFit(): boolean {
    return this.#shell.exitCode === null && this.#shell.signalCode === null && this.#path === process.env.PATH
  }

  #start(args: string, listener: FpingListener): void {
    this.#listener = listener
    if (this.#shell.pid === undefined) return
    this.#keepAlive(true)
    this.#shell.stdin.write(`${args}\n`)
  }

  #read(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n')
    this.#rest = (parts.pop() ?? '').slice(0, maxLine)
    for (const line of parts) {
      // Without a process there is no number, and 0 would be our own group.
      if (line.startsWith('@ ')) this.#pid = Number(line.slice(2)) || undefined
      else if (line.startsWith('= ')) this.#end(Number(line.slice(2)))
      else this.#listener?.line(line)
    }
    this.#killUnwanted()
  }

  #end(how: number | Error): void {
    const listener = this.#listener
    this.#listener = undefined
    this.#pid = undefined
    if (listener === undefined) return
    if (typeof how === 'number') {
      this.#keepAlive(false)
      if (FpingShell.#idle.length < mostIdle) FpingShell.#idle.push(this)
      else this.#shell.stdin.end()
    }
    listener.end(how)
  }

  /** A shell that has nothing to do must not keep this process from ending. */
  #keepAlive(wanted: boolean): void {
    const { stdin, stdout } = this.#shell as unknown as Record<'stdin' | 'stdout', { ref(): void; unref(): void }>
    for (const handle of [this.#shell, stdin, stdout]) wanted ? handle.ref() : handle.unref()
  }
}
