import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Runs the same command line on another Node, and ends as it ends; signals go through. */
export function relaunch(node) {
  const leash = fileURLToPath(new URL('leash.mjs', import.meta.url))
  const child = spawn(node, ['--import', leash, ...process.argv.slice(1)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** The same on the Node that npm ci installed. @returns false where there is none */
export function relaunchOnOwn() {
  const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(own)) return false
  relaunch(own)
  return true
}
