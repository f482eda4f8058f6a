// The tests use the real tools: installed where that is allowed, otherwise named.
import { spawnSync } from 'node:child_process'

/** Debian package, and a command that works when it is there and this user may use it. */
const tools = {
  'iputils-ping': ['ping', '-c', '1', '127.0.0.1'],
  fping: ['fping', '-c', '1', '127.0.0.1'],
  iproute2: ['ip', 'address', 'show', 'lo'],
  curl: ['curl', '--version'],
  jq: ['jq', '--version'],
  procps: ['ps', '--version'],
}

const missing = () =>
  Object.entries(tools)
    .filter(([, [program, ...args]]) => spawnSync(program, args, { stdio: 'ignore' }).status !== 0)
    .map(([name]) => name)

const wanted = missing()
if (wanted.length > 0 && process.getuid?.() === 0) {
  process.stderr.write(`Installing ${wanted.join(', ')}…\n`)
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...wanted], { stdio: 'ignore' })
}
const lacking = missing()
if (lacking.length > 0) {
  process.stderr.write(`The tests need these, usable by this user: apt-get install ${lacking.join(' ')}\n`)
  process.exitCode = 1
}
