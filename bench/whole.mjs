// The whole product, server and probe together, on some monitors at a steady rate: CPU of 1,000 checks and memory, beside a
// bare Node process that asks the same target as often over fresh connections and keeps nothing. With KUMA_DIR, the folder of an
// installed Uptime Kuma, that does the same checks in the same windows.
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { startKuma } from './kuma.mjs'
import { bearer, cpuOf, directory, flags, median, ours, root, rssOf, start, table } from './lib.mjs'

const [role, ...rest] = process.argv.slice(2)
if (role === 'target') serveTarget()
else if (role === 'bare') askBare(...rest)
else await measure()

function serveTarget() {
  const body = 'x'.repeat(1000)
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1', () => {
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/` })}\n`)
  })
}

function askBare(url, rate) {
  process.stdout.write('{}\n')
  setInterval(() => {
    request(url, { agent: false }, response => response.resume()).end()
  }, 1000 / rate)
}

async function measure() {
  const given = flags({ rounds: 5, seconds: 20, warm: 30, monitors: 500, interval: 10 })
  const [rounds, seconds, warm, monitors, interval] = Object.values(given).map(Number)
  const own = join(root, 'bench/whole.mjs')
  const target = await start(process.execPath, [own, 'target'])
  const { url } = target.ready
  const product = await ours({ monitors: 0 })
  for (let number = 1; number <= monitors; number++) {
    const body = JSON.stringify({ name: `Service ${number}`, type: 'http', target: `${url}${number}`, interval })
    const made = await fetch(`${product.url}/v1/monitors`, { method: 'POST', headers: bearer(product.apiToken), body })
    if (made.status !== 201) throw new Error(await made.text())
  }
  const dir = directory()
  const env = { WATCHPOST_PROBE_TOKEN: product.token }
  const args = ['run', '--server', product.url, '--spool-dir', dir.path, '--log-level', 'error']
  const probe = await start(join(root, 'bin/watchpost-probe'), args, env)
  const bare = await start(process.execPath, [own, 'bare', url, String(monitors / interval)])
  const folder = process.env.KUMA_DIR
  const kuma = folder === undefined ? undefined : await startKuma(folder, { url, monitors, interval })
  const pids = { server: product.pid, probe: probe.pid, bare: bare.pid, ...(kuma && { kuma: kuma.pid }) }

  const checks = async () => {
    const { default: Database } = await import('better-sqlite3')
    const db = new Database(product.db, { readonly: true })
    const { sum } = db.prepare('select sum(seq) as sum from monitor_states').get()
    db.close()
    return sum
  }
  await new Promise(done => setTimeout(done, warm * 1000))
  const seen = []
  for (let round = 0; round < rounds; round++) {
    const cpu = () => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, cpuOf(pid)]))
    const [before, had, kumaHad] = [cpu(), await checks(), kuma?.checks()]
    await new Promise(done => setTimeout(done, seconds * 1000))
    const [after, has, kumaHas] = [cpu(), await checks(), kuma?.checks()]
    const per = (name, count) => ((after[name] - before[name]) / count) * 1000
    const count = has - had
    const asked = (seconds * monitors) / interval
    const both = per('server', count) + per('probe', count)
    const its = kuma && per('kuma', kumaHas - kumaHad)
    seen.push({
      rate: count / seconds,
      server: per('server', count),
      probe: per('probe', count),
      both,
      bare: per('bare', asked),
      ...(kuma && { kuma: its, rateOfKuma: (kumaHas - kumaHad) / seconds, times: its / both }),
    })
  }
  const figure = (name, digits) => {
    const all = seen.map(each => each[name])
    return `${median(all).toFixed(digits)} (${Math.min(...all).toFixed(digits)} to ${Math.max(...all).toFixed(digits)})`
  }
  const megabytes = pid => (rssOf(pid) / 1e6).toFixed(0)
  const names = ['server', 'probe', 'both', 'bare', ...(kuma ? ['kuma'] : [])]
  table(
    ['process', `CPU s per 1,000 checks, at ${figure('rate', 1)} a second`, 'resident MB'],
    names.map(name => [
      name,
      figure(name, 3),
      name === 'both' ? Number(megabytes(product.pid)) + Number(megabytes(probe.pid)) : megabytes(pids[name]),
    ]),
  )
  if (kuma) {
    process.stdout.write(
      `Uptime Kuma made ${figure('rateOfKuma', 1)} checks a second, for ${figure('times', 2)} times our CPU a check\n`,
    )
    await kuma.stop()
  }
  for (const running of [probe, bare, target]) await running.stop()
  dir.remove()
  await product.close()
}
