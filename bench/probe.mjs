// Our probe as it is shipped, beside a control plane that only hands out and counts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { directory, root, rssOf, start } from './lib.mjs'

/** Starts a probe that has `job` to do: { type, targets, options, monitors, interval }. */
export async function startProbe(job, concurrency) {
  const dir = directory()
  const plane = await start(process.execPath, [join(root, 'bench/plane.mjs')])
  const ask = async what => {
    plane.child.stdin.write(`${JSON.stringify(what)}\n`)
    return plane.next()
  }
  await ask(job)
  const where = ['--server', plane.ready.url, '--token', 'wp_probe_bench', '--spool-dir', dir.path]
  const how = ['--concurrency', String(concurrency), '--log-level', 'error']
  const probe = await start(process.env.PROBE ?? join(root, 'bin/watchpost-probe'), ['run', ...where, ...how])
  return {
    pid: probe.pid,
    rss: () => rssOf(probe.pid),
    /** What has come in during so many seconds, and the CPU seconds it cost, those of child processes included. */
    async run(seconds) {
      await ask({})
      const before = cpuWithChildren(probe.pid)
      await new Promise(done => setTimeout(done, seconds * 1000))
      const cpu = cpuWithChildren(probe.pid) - before
      return { ...(await ask({})), cpu }
    },
    async stop() {
      await probe.stop()
      plane.child.stdin.end()
      dir.remove()
    },
  }
}

function cpuWithChildren(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / 100
}
