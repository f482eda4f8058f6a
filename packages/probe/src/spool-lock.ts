import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/**
 * Keeps a second probe out of a spool directory: it would send and delete the first one's results.
 * A socket without a file, which the kernel takes back however the process ends, so there is no stale lock to judge;
 * on systems without such sockets there is no lock.
 * @returns what gives the directory free again, or undefined when another process has it
 */
export async function lockDirectory(dir: string): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') return () => undefined
  const name = createHash('sha256').update(realpathSync(dir)).digest('hex')
  const server = createServer()
  return (await listens(server, `\0watchpost-probe-spool-${name}`)) ? () => void server.close() : undefined
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(path, () => resolve(true)).unref()
  })
}
