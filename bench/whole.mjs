// The whole product, server and probe together, on some monitors at a steady rate: CPU of 1,000 checks and memory, beside a
// bare Node process that asks the same target as often over fresh connections and keeps nothing. With KUMA_PID and KUMA_RATE
// (checks a second) a running Uptime Kuma is measured in the same windows.
import { createServer, request } from 'node:http'
import { join } from 'node:path'
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
  const kuma = process.env.KUMA_PID === undefined ? [] : [Number(process.env.KUMA_PID)]
  const pids = { server: product.pid, probe: probe.pid, bare: bare.pid, ...(kuma[0] && { kuma: kuma[0] }) }

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
    const [before, had] = [cpu(), await checks()]
    await new Promise(done => setTimeout(done, seconds * 1000))
    const [after, has] = [cpu(), await checks()]
    const per = (name, count) => ((after[name] - before[name]) / count) * 1000
    const count = has - had
    const asked = (seconds * monitors) / interval
    seen.push({
      rate: count / seconds,
      server: per('server', count),
      probe: per('probe', count),
      both: per('server', count) + per('probe', count),
      bare: per('bare', asked),
      ...(kuma[0] && { kuma: per('kuma', seconds * Number(process.env.KUMA_RATE)) }),
    })
  }
  const figure = (name, digits) => {
    const all = seen.map(each => each[name])
    return `${median(all).toFixed(digits)} (${Math.min(...all).toFixed(digits)} to ${Math.max(...all).toFixed(digits)})`
  }
  const megabytes = pid => (rssOf(pid) / 1e6).toFixed(0)
  const names = ['server', 'probe', 'both', 'bare', ...(kuma[0] ? ['kuma'] : [])]
  table(
    ['process', `CPU s per 1,000 checks, at ${figure('rate', 1)} a second`, 'resident MB'],
    names.map(name => [
      name,
      figure(name, 3),
      name === 'both' ? Number(megabytes(product.pid)) + Number(megabytes(probe.pid)) : megabytes(pids[name]),
    ]),
  )
  for (const running of [probe, bare, target]) await running.stop()
  dir.remove()
  await product.close()
}
