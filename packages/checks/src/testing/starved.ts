import { closeSync, openSync } from 'node:fs'
import { run } from './run.ts'

// Run as a program of its own under a low `ulimit -n`: opens files until there are none left, then looks at targets and
// prints what it found.
const address = process.argv[2] ?? ''
await run('tcp', address)
const open: number[] = []
try {
  while (true) open.push(openSync('/dev/null', 'r'))
} catch {
  // None left: that is what was wanted.
}
const outcomes = [
  await run('tcp', address),
  await run('http', `http://${address}/`),
  await run('ping', '127.0.0.1'),
  await run('dns', 'example.test', { resolver: address }),
]
for (const file of open) closeSync(file)
process.stdout.write(JSON.stringify(outcomes.map(({ status, error_kind }) => `${status} ${error_kind}`)))
