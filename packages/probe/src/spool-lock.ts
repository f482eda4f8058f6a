import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * Keeps a second probe out of a spool directory: it would send and delete the first one's results.
 * A socket without a file, which the kernel takes back however the process ends, so there is no stale lock to judge;
 * on systems without such sockets a file with the number of the process, which counts while there is such a process.
 * @returns what gives the directory free again, or undefined when another process has it
 */
export async function lockDirectory(dir: string): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') return lockByFile(dir)
  const name = createHash('sha256').update(realpathSync(dir)).digest('hex')
  const server = createServer()
  return (await listens(server, `\0watchpost-probe-spool-${name}`)) ? () => void server.close() : undefined
}

/** {@link lockDirectory} where there are no sockets without a file. */
export function lockByFile(dir: string): (() => void) | undefined {
  const path = join(dir, 'lock')
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      writeFileSync(path, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (isAlive(readOwner(path))) return undefined
      rmSync(path, { force: true })
    }
  }
  return undefined
}

function readOwner(path: string): number {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10)
  } catch {
    return Number.NaN
  }
}

/** A process of another user cannot be signalled, but it is there. */
function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(path, () => resolve(true)).unref()
  })
}
