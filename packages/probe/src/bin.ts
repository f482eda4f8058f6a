import { answerLooks } from './look.ts'
import { run } from './main.ts'

const stop = new AbortController()

/** The first request to end is heeded with care, the second at once: what is spooled is safe either way. */
function onSignal(_: NodeJS.Signals, number: number): void {
  if (stop.signal.aborted) process.exit(128 + number)
  stop.abort()
}
process.on('SIGTERM', onSignal)
process.on('SIGINT', onSignal)

// Started by the server beside it: end with it, however it ended.
process.on('disconnect', () => stop.abort())
if (process.env.WATCHPOST_PROBE_PARENT === '1') answerLooks(process, stop.signal)
if (process.env.WATCHPOST_PROBE_PARENT === '1' && !process.connected) {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop.abort(), 1000).unref()
}

const words = process.argv.slice(2)
const isDaemon = words[0] === 'run'
// Whoever read our output may be gone; that is no reason to stop checking. But a verdict that a full disk has swallowed is none.
let unwritten = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isDaemon || error.code === 'EPIPE' || unwritten) return
  unwritten = true
  process.stderr.write(`watchpost-probe: standard output cannot be written (${error.code})\n`)
})
process.stderr.on('error', () => undefined)

const code = await run(words, {
  stdout: text => void process.stdout.write(text),
  stderr: text => void process.stderr.write(text),
  env: process.env,
  stop: stop.signal,
})
if (!isDaemon) await new Promise<void>(written => process.stdout.write('', () => written()))
// Idle connections to the server would keep the process for seconds.
process.exit(unwritten ? code || 1 : code)
