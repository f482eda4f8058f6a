// An Uptime Kuma that is installed in a folder (its package with node_modules), on monitors of ours.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { directory, freePort } from './lib.mjs'
import { answers } from './targets.mjs'

/**
 * Starts Uptime Kuma with monitors of type http: url1, url2, and so on.
 * @param folder where its package.json is
 * @returns its process, how many checks it has kept, and its end
 */
export async function startKuma(folder, { url, monitors, interval }) {
  const { default: Database } = await import('better-sqlite3')
  const dir = directory()
  const data = join(dir.path, 'data')
  mkdirSync(data)
  const file = join(data, 'kuma.db')
  const run = async () => {
    const port = await freePort()
    const where = [`--port=${port}`, '--host=127.0.0.1', `--data-dir=${data}/`]
    const env = { ...process.env, UPTIME_KUMA_DB_TYPE: 'sqlite', NODE_ENV: 'production' }
    const child = spawn(process.execPath, ['server/server.js', ...where], { cwd: folder, env, stdio: 'ignore' })
    await answers(`http://127.0.0.1:${port}/setup-database-info`, 60_000)
    return child
  }
  const end = child =>
    new Promise(ended => {
      child.once('exit', ended)
      child.kill('SIGTERM')
    })
  if (!existsSync(join(folder, 'server/server.js'))) throw new Error(`no Uptime Kuma in ${folder}`)
  // Once without monitors, which makes its tables.
  await end(await run())
  const db = new Database(file)
  db.prepare(`insert into user (username, password) values ('bench', 'x')`).run()
  const add = db.prepare(`insert into monitor (name, user_id, interval, url, type, retry_interval, timeout)
    values (@name, 1, @interval, @url, 'http', @interval, 5)`)
  db.transaction(() => {
    for (let n = 1; n <= monitors; n++) add.run({ name: `Service ${n}`, interval, url: `${url}${n}` })
  })()
  db.close()
  const kuma = await run()
  const seen = new Database(file, { readonly: true })
  const count = seen.prepare('select count(*) as count from heartbeat')
  return {
    pid: kuma.pid,
    checks: () => count.get().count,
    async stop() {
      seen.close()
      await end(kuma)
      dir.remove()
    },
  }
}
