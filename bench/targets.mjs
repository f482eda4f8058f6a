// What is checked: nginx (HTTP, and HTTPS with a P-256 key) and dnsmasq. Checks rotate over sixteen addresses, for on one
// the kernel's search for a free port would cost more than the check.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directory, freePort } from './lib.mjs'

const [http, https, dns] = [await freePort(), await freePort(), await freePort()]
const addresses = Array.from({ length: 16 }, (_, index) => `127.0.0.${index + 1}`)

// Monitors, ten checks a second each: more than the probe can do, so that it is never without work. Many more would be
// measured as slots that it skips, which no probe that is not overrun has.
export const checks = {
  http: { targets: addresses.map(each => `http://${each}:${http}/`), module: 'http_2xx', monitors: 1000 },
  https: { targets: addresses.map(each => `https://${each}:${https}/`), module: 'http_2xx', monitors: 300 },
  tcp: { targets: addresses.map(each => `${each}:${http}`), module: 'tcp_connect', monitors: 1000 },
  ssl: {
    targets: addresses.map(each => `${each}:${https}`),
    module: 'tls_connect',
    monitors: 300,
    options: { allow_self_signed: true, servername: 'localhost' },
  },
  dns: {
    targets: ['example.test'],
    peerTargets: [`127.0.0.1:${dns}`],
    module: 'dns',
    monitors: 1500,
    options: { resolver: `127.0.0.1:${dns}` },
  },
  ping: { targets: addresses, module: 'icmp', monitors: 1500, options: { count: 1 } },
}

export async function startTargets() {
  const dir = directory()
  const path = dir.path
  mkdirSync(join(path, 'www'))
  writeFileSync(join(path, 'www/index.html'), 'x'.repeat(1024))
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '90']
  const files = ['-keyout', join(path, 'key.pem'), '-out', join(path, 'certificate.pem')]
  execFileSync('openssl', ['req', '-x509', ...key, ...subject, ...files], { stdio: 'ignore' })
  const listen = (port, more) => addresses.map(each => `listen ${each}:${port} ${more} backlog=4096;`).join(' ')
  writeFileSync(
    join(path, 'nginx.conf'),
    `user root; worker_processes 1; pid ${path}/pid; error_log ${path}/error.log crit; daemon off;
     events { worker_connections 8192; multi_accept on; }
     http { access_log off; sendfile on; default_type text/html; open_file_cache max=100;
       server { ${listen(http, '')} root ${path}/www; }
       server { ${listen(https, 'ssl')} root ${path}/www;
         ssl_certificate ${path}/certificate.pem; ssl_certificate_key ${path}/key.pem; } }`,
  )
  const ip = ['--no-resolv', '--no-hosts', '--address=/example.test/127.0.0.2', '--dns-forward-max=10000']
  const where = ['-C', '/dev/null', '-k', `--port=${dns}`, '--listen-address=127.0.0.1', '--bind-interfaces']
  const children = [
    spawn('nginx', ['-c', join(path, 'nginx.conf'), '-p', path], { stdio: 'inherit' }),
    spawn('dnsmasq', [...where, ...ip, `--pid-file=${path}/dnsmasq.pid`, '--user=root'], { stdio: 'inherit' }),
  ]
  await answers(`http://127.0.0.1:${http}/`)
  return {
    stop() {
      for (const child of children) child.kill()
      dir.remove()
    },
  }
}

/** Waits until something answers there. */
export async function answers(url, patienceMs = 10_000) {
  for (const until = performance.now() + patienceMs; performance.now() < until; ) {
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise(done => setTimeout(done, 50))
  }
  throw new Error(`nothing answers at ${url}`)
}
