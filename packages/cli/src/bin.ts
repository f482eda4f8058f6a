import type { Io } from './io.ts'
import { run } from './main.ts'

const stop = new AbortController()
const io: Io = {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
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
  if (error.code !== 'EPIPE') throw error
  stop.abort(0)
  process.exit(0)
})
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv.slice(2), io)
// What was interrupted may still hold a pipe open.
if (stop.signal.aborted) process.exit()
