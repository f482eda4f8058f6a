import type { Io } from './io.ts'
import { version } from './version.ts'

const stop = new AbortController()
let told: Io['stderr'] | undefined
const io: Io = {
  env: process.env,
  stdout: process.stdout,
  // Node makes each when it is first asked for, which takes milliseconds: most commands read nothing, and complain of nothing.
  get stderr() {
    told ??= process.stderr.on('error', () => {})
    return told
  },
  get stdin() {
    return process.stdin
  },
  signal: stop.signal,
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait for a tidy end.
    if (stop.signal.aborted) process.exit(code)
    stop.abort(code)
  })
}
// The reader of a pipe has seen enough (`| head`): nothing went wrong.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') io.stderr.write(`error: standard output cannot be written (${error.code})\n`)
  const code = error.code === 'EPIPE' ? 0 : 1
  stop.abort(code)
  process.exit(code)
})

const words = process.argv.slice(2)
if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) process.stdout.write(`${version}\n`)
// Loaded only now: nobody waits for all of it to learn a number.
else process.exitCode = await (await import('./main.ts')).run(words, io)
// What was interrupted may still hold a pipe open.
if (stop.signal.aborted) process.exit()
