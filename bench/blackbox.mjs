// prometheus-blackbox-exporter, asked for one probe after another by wrk.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf, directory, freePort } from './lib.mjs'
import { answers } from './targets.mjs'

const modules = `modules:
  http_2xx: {prober: http, timeout: 10s, http: {preferred_ip_protocol: ip4, tls_config: {insecure_skip_verify: true}}}
  tcp_connect: {prober: tcp, timeout: 10s, tcp: {preferred_ip_protocol: ip4}}
  tls_connect: {prober: tcp, timeout: 10s, tcp: {preferred_ip_protocol: ip4, tls: true, tls_config: {insecure_skip_verify: true}}}
  icmp: {prober: icmp, timeout: 5s, icmp: {preferred_ip_protocol: ip4}}
  dns: {prober: dns, timeout: 5s, dns: {preferred_ip_protocol: ip4, transport_protocol: udp, query_name: example.test, query_type: A}}
`
// Rotates over the targets, and counts answers that do not say that the target is well.
const script = `local i, bad, paths, threads = 0, 0, {}, {}
for path in os.getenv("PATHS"):gmatch("[^\\n]+") do table.insert(paths, path) end
request = function() i = i + 1; return wrk.format("GET", paths[1 + i % #paths]) end
function setup(thread) table.insert(threads, thread) end
function init() bad = 0 end
response = function(status, headers, body) if not body:find("probe_success 1", 1, true) then bad = bad + 1 end end
function done() local n = 0; for _, each in ipairs(threads) do n = n + (each:get("bad") or 0) end; io.write("BAD " .. n .. "\\n") end`

export async function startBlackbox() {
  const [dir, port] = [directory(), await freePort()]
  writeFileSync(join(dir.path, 'blackbox.yml'), modules)
  writeFileSync(join(dir.path, 'rotate.lua'), script)
  const flags = [
    `--config.file=${dir.path}/blackbox.yml`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus-blackbox-exporter', flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await answers(url)
  return {
    pid: child.pid,
    url,
    path: (module, target) => `/probe?module=${module}&target=${encodeURIComponent(target)}`,
    /** @returns checks made, those that failed, and the CPU seconds that they cost */
    async run({ module, targets, connections, seconds }) {
      const paths = targets.map(each => this.path(module, each)).join('\n')
      const before = cpuOf(child.pid)
      const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '-s', join(dir.path, 'rotate.lua'), url]
      const wrk = spawn('wrk', args, { env: { ...process.env, PATHS: paths }, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      for await (const chunk of wrk.stdout) output += chunk
      return {
        n: Number(/(\d+) requests in/.exec(output)[1]),
        bad: Number(/BAD (\d+)/.exec(output)[1]),
        cpu: cpuOf(child.pid) - before,
      }
    },
    stop() {
      child.kill()
      dir.remove()
    },
  }
}
