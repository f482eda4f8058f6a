// nginx serving one file from memory, as fast as it can be told to.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { directory, freePort } from './lib.mjs'

export async function nginx(payload) {
  const dir = directory()
  const port = await freePort()
  writeFileSync(join(dir.path, 'status.json'), payload)
  writeFileSync(
    join(dir.path, 'nginx.conf'),
    `worker_processes 1; pid ${dir.path}/pid; error_log ${dir.path}/error.log; daemon off; user root;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; open_file_cache max=10; keepalive_requests 100000000;
       types { application/json json; }
       server { listen 127.0.0.1:${port}; location / { root ${dir.path}; } } }`,
  )
  const child = spawn('nginx', ['-c', join(dir.path, 'nginx.conf'), '-p', dir.path], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}/status.json`
  const answers = () =>
    fetch(url).then(
      answer => answer.ok,
      () => false,
    )
  while (!(await answers())) await new Promise(done => setTimeout(done, 50))
  const workers = execFileSync('pgrep', ['-P', String(child.pid)])
    .toString()
    .trim()
    .split('\n')
    .map(Number)
  return {
    url,
    pids: [child.pid, ...workers],
    stop() {
      child.kill()
      dir.remove()
    },
  }
}
