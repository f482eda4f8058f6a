import './collect-seldom.ts'
import { run } from './main.ts'

// What this process writes holds secrets: for its user only.
process.umask(0o077)

// No reason to stop serving; but a command whose words a full disk did not take has failed. Of a reader that has seen enough
// (`| head`) nothing is said.
let isLost = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
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
