import './collect-seldom.ts'
import { run } from './main.ts'

// What this process writes holds secrets: for its user only.
process.umask(0o077)

// A full disk, or a reader that has gone: no reason to stop serving, but one for a command to have failed.
let isLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isLost) process.stderr.write(`watchpost-server: standard output cannot be written (${error.code})\n`)
  isLost = true
  process.exitCode = 1
})

const code = await run(process.argv.slice(2), {
  env: process.env,
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
})
process.exitCode = isLost ? 1 : code
