/**
 * A cached status payload (50 monitors, 90 days): requests answered for each CPU second, beside nginx serving the same
 * bytes from a file and a bare Fastify route sending a prepared Buffer; and 304 to a client that holds it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareFastify } from './floors.ts'
import { median, need, requestsPerCpuSecond, spread, table } from './measure.ts'
import { startProduct } from './product.ts'

const rounds = Number(process.argv[2] ?? 5)
const seconds = 3
const connections = 50

need('nginx', 'nginx-light')
need('wrk', 'wrk')

const product = await startProduct()
const page = (await product.ask('POST', '/v1/status-pages', { slug: 'bench', title: 'Bench' })).data.id
const probe = (await product.ask('POST', '/v1/probes', { name: 'bench' })).data.token
for (let number = 1; number <= 50; number++) {
  const monitor = { name: `Service number ${number}`, type: 'tcp', target: `service-${number}.example:443` }
  const { id } = (await product.ask('POST', '/v1/monitors', monitor)).data
  await product.ask('POST', `/v1/status-pages/${page}/monitors`, { monitor_id: id, group_name: `Group ${number % 5}` })
}
for (const check of (await product.ask('GET', '/v1/probe/get-checks', undefined, probe)).data) {
  const result = { monitor_id: check.monitor_id, run_id: check.run_id, status: 'online', response_time_ms: 42.5 }
  await product.ask('POST', '/v1/probe/check-result', result, probe)
}
const url = `${product.url}/api/status/bench`
const response = await fetch(url)
const payload = Buffer.from(await response.arrayBuffer())
const held = `If-None-Match: ${response.headers.get('etag')}`

const nginx = await startNginx(payload)
const floor = await bareFastify(payload)
const contenders = [
  { name: 'nginx, the same bytes', url: nginx.url, pids: nginx.pids },
  { name: 'bare Fastify, prepared Buffer', url: floor.url, pids: [floor.pid] },
  { name: 'Watchpost', url, pids: [product.pid] },
  { name: 'Watchpost, 304', url, pids: [product.pid], headers: [held] },
]
const results = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
for (const { url, pids } of contenders) await requestsPerCpuSecond({ url, pids, connections, seconds: 1 })
for (let round = 1; round <= rounds; round++) {
  process.stderr.write(`round ${round} of ${rounds}\r`)
  for (const { name, ...target } of contenders) {
    results.get(name)?.push(await requestsPerCpuSecond({ ...target, connections, seconds }))
  }
}
await product.stop()
floor.stop()
nginx.stop()

const ofNginx = median(results.get('nginx, the same bytes') as number[])
console.log(`Status payload of ${payload.length} bytes, ${connections} connections, ${rounds} rounds of ${seconds} s\n`)
console.log(
  table([
    ['server', 'requests per CPU second', 'of nginx'],
    ...[...results].map(([name, values]) => [name, spread(values), (median(values) / ofNginx).toFixed(2)]),
  ]),
)

async function startNginx(bytes: Buffer) {
  const dir = mkdtempSync(join(tmpdir(), 'watchpost-nginx-'))
  writeFileSync(join(dir, 'status.json'), bytes)
  const port = 18_900 + (process.pid % 90)
  writeFileSync(
    join(dir, 'nginx.conf'),
    `worker_processes 1; pid ${dir}/pid; error_log ${dir}/error.log; daemon off; user root;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; open_file_cache max=10; keepalive_requests 100000000;
       types { application/json json; }
       server { listen 127.0.0.1:${port}; location / { root ${dir}; } } }`,
  )
  const child = spawn('nginx', ['-c', join(dir, 'nginx.conf'), '-p', dir], { stdio: ['ignore', 'inherit', 'inherit'] })
  const address = `http://127.0.0.1:${port}/status.json`
  while (
    !(await fetch(address).then(
      answer => answer.ok,
      () => false,
    ))
  )
    await new Promise(done => setTimeout(done, 50))
  const { execFileSync } = await import('node:child_process')
  const workers = execFileSync('pgrep', ['-P', String(child.pid)])
    .toString()
    .trim()
    .split('\n')
    .map(Number)
  return {
    url: address,
    pids: [child.pid as number, ...workers],
    stop() {
      child.kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
