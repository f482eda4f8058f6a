import './collect-seldom.ts'
import { run } from './main.ts'

// What this process writes holds secrets: for its user only.
process.umask(0o077)

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
})
