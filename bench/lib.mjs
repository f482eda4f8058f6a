import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const root = new URL('..', import.meta.url).pathname
const ticks = 100

/** CPU seconds a process has used. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

/** CPU seconds of threads of a process, by the names that they begin with. */
export function cpuOfThreads(pid, name) {
  let used = 0
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const [head, tail] = readFileSync(`/proc/${pid}/task/${id}/stat`, 'utf8').split(') ')
    const fields = tail.split(' ')
    if (head.split(' (')[1].startsWith(name)) used += Number(fields[11]) + Number(fields[12])
  }
  return used / ticks
}

export function rssOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024
}

export const median = numbers => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export const whole = number => Math.round(number).toLocaleString('en')
export const spread = numbers => `${whole(Math.min(...numbers))} to ${whole(Math.max(...numbers))}`

export function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** Flags of the command line: `--rounds 5`. */
export function flags(defaults) {
  const given = { ...defaults }
  for (let at = 2; at < process.argv.length; at += 2) given[process.argv[at].slice(2)] = process.argv[at + 1]
  if ('encoding' in given && !['json', 'proto'].includes(given.encoding)) throw new Error('--encoding is json or proto')
  return given
}

/** A directory that is gone afterwards: on a disk, since commits wait for it. */
export function directory() {
  const path = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'watchpost-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** A port that nobody listened on a moment ago, for programs that cannot say which one they took. */
export function freePort() {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

/** Says what is missing and ends, where a benchmark needs a program that is not here: { program: package }. */
export function needs(programs) {
  for (const [program, name] of Object.entries(programs)) {
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) continue
    process.stderr.write(`this benchmark needs ${program}: apt-get install ${name}\n`)
    process.exit(2)
  }
}

/** Starts a program, gives it `input` if there is any, and waits for its first line of JSON. */
export async function start(command, args, env = {}, input = undefined) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  if (input !== undefined) child.stdin.end(input)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value)
  const stop = () =>
    new Promise(resolve => {
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })
  return { child, pid: child.pid, ready: await next(), next, stop }
}

function run(args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', text => {
      out += text
    })
    child.on('exit', code =>
      code === 0 ? resolve(JSON.parse(out)) : reject(new Error(`${args[0]} ended with ${code}`)),
    )
  })
}

/** A benchmark asks more often than anybody may. */
const limits = ['TOKEN_HOUR', 'TOKEN_MINUTE', 'ANONYMOUS_HOUR', 'PROBE_MINUTE', 'RUM_KEY_MINUTE', 'RUM_ADDRESS_MINUTE']
const env = {
  WATCHPOST_INSTANCE_KEY: 'a key for benchmarks',
  ...Object.fromEntries(limits.map(name => [`WATCHPOST_RATE_LIMIT_${name}`, '0'])),
}
const server = join(root, 'bin/watchpost-server')

/**
 * Our server as it is shipped, on a store of its own, with a probe that was given `monitors` monitors.
 * @param options.timed it says how late its main thread is, which takes four hundredths of a core
 */
export async function ours({ monitors, seed = () => undefined, timed = false }) {
  const dir = directory()
  const storage = ['--data-dir', dir.path]
  const team = await run([server, 'bootstrap', ...storage, '--json'], env)
  let running = await serve(storage, false)
  const asked = { method: 'POST', headers: bearer(team.api_token), body: JSON.stringify({ name: 'bench' }) }
  const probe = await (await fetch(`${running.ready.url}/v1/probes`, asked)).json()
  // The probe's own monitor has the first number, which one of those that follow is to have.
  const { data } = await (await fetch(`${running.ready.url}/v1/monitors`, { headers: bearer(team.api_token) })).json()
  for (const { id } of data) {
    await fetch(`${running.ready.url}/v1/monitors/${id}`, { method: 'DELETE', headers: bearer(team.api_token) })
  }
  await running.stop()
  await seedMonitors(join(dir.path, 'watchpost.db'), monitors, probe.data.id, seed)
  running = await serve(storage, timed)
  return {
    pid: running.pid,
    url: running.ready.url,
    db: join(dir.path, 'watchpost.db'),
    token: probe.data.token,
    apiToken: team.api_token,
    delay: () => delayOf(running),
    stop: () => running.stop(),
    remove: dir.remove,
    async close() {
      await running.stop()
      dir.remove()
    },
  }
}

const delayed = join(root, 'bench/delay.mjs')
const serve = (storage, timed) => {
  const flags = ['--listen', '127.0.0.1:0', '--otlp-listen', 'off']
  const watch = timed ? ['--import', delayed] : []
  return start(process.execPath, [...watch, server, 'serve', ...storage, ...flags], env)
}

/** How late the main thread came to what was due since this was asked before, ms. */
function delayOf({ child, next }) {
  child.kill('SIGUSR2')
  return next()
}

/** The same of a process that does nothing. */
export async function idle() {
  const running = await start(process.execPath, [delayed])
  return { delay: () => delayOf(running), stop: running.stop }
}

export const bearer = token => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })

/** Monitors as the API would make them, without asking it 100,000 times. */
async function seedMonitors(path, count, probeId, more) {
  const { default: Database } = await import('better-sqlite3')
  const db = new Database(path)
  const monitor = db.prepare(`insert into monitors (team_id, id, name, target, type, interval_s, timeout_s, method,
    ssl_verify, enabled, is_active, options, version, created_at, updated_at)
    values (1, ?, ?, ?, 'https', 60, 10, 'get', 1, 1, 1, '{}', 1, ?, ?)`)
  const state = db.prepare(`insert into monitor_states (team_id, monitor_id, seq, status, failures, due_at, lease_until,
    lease_holds, counts_from, rolled_to) values (1, ?, 0, 'online', 0, ?, 0, 0, 0, ?)`)
  const grant = db.prepare('insert into grants (team_id, monitor_id, probe_id) values (1, ?, ?)')
  const now = Date.now()
  db.transaction(() => {
    // The probe has a monitor of its own, which would count among these.
    db.exec('delete from monitors; delete from monitor_states; delete from grants')
    for (let id = 1; id <= count; id++) {
      monitor.run(id, `Monitor ${id}`, `https://host${id}.example.com/health`, now, now)
      state.run(id, now + 3_600_000, Math.floor(now / 3_600_000))
      grant.run(id, probeId)
    }
    more(db, count)
  })()
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** The load generator; `run` gives what it saw and the CPU seconds the server used meanwhile. */
export async function generator() {
  const load = await start(process.execPath, [join(root, 'bench/load.mjs')])
  return {
    async run(target, job) {
      const path = job.batch > 0 ? '/v1/probe/check-results' : '/v1/probe/check-result'
      const before = cpuOf(target.pid)
      const began = performance.now()
      load.child.stdin.write(`${JSON.stringify({ url: target.url, token: target.token ?? 'none', path, ...job })}\n`)
      const seen = await load.next()
      const cpu = cpuOf(target.pid) - before
      if (seen.refused > 0) throw new Error(`${seen.refused} results were refused`)
      return {
        ...seen,
        cpu,
        perCpu: seen.answered / cpu,
        perSecond: (seen.answered * 1000) / (performance.now() - began),
      }
    },
    stop: load.stop,
  }
}

/** Round trips of a request that asks nothing of the store: what the main thread adds to it is how long it stood still. */
export async function stalls(url, until) {
  const waits = []
  let done = false
  until.then(() => {
    done = true
  })
  while (!done) {
    const began = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    waits.push(performance.now() - began)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  waits.sort((a, b) => a - b)
  return { p50: waits[waits.length >> 1], p99: waits[Math.floor(waits.length * 0.99)] }
}
