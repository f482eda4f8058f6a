// VictoriaMetrics, given points in batches of 100 in the form that costs it least, lines of Influx.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { cpuOf, directory, freePort } from './lib.mjs'
import { answers } from './targets.mjs'

const perBatch = 100
const series = 2000
const pooled = 2000

/** @returns undefined where it is not installed (Debian: victoria-metrics) */
export async function startVictoria() {
  if (spawnSync('sh', ['-c', 'command -v victoria-metrics']).status !== 0) return undefined
  const [dir, port] = [directory(), await freePort()]
  const where = [`-storageDataPath=${dir.path}`, `-httpListenAddr=127.0.0.1:${port}`, '-loggerLevel=ERROR']
  const child = spawn('victoria-metrics', where, { stdio: ['ignore', 'ignore', 'inherit'] })
  await answers(`http://127.0.0.1:${port}/health`)
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let at = Date.now() - 3 * 86_400_000
  const body = () => {
    let lines = ''
    for (let index = 0; index < perBatch; index++) {
      const one = turn++ % series
      if (one === 0) at += 5000
      const value = ((turn * 7919) % 30_000) / 100
      lines += `process_cpu_percent,service=bench,host=host-${one % 40},route=/api/resource-${one % 50} value=${value} ${at}000000\n`
    }
    return lines
  }
  const send = text =>
    new Promise((done, failed) => {
      const sent = request({ port, host: '127.0.0.1', path: '/write', method: 'POST', agent }, answer => {
        answer
          .resume()
          .once('end', () => (answer.statusCode < 300 ? done() : failed(new Error(`${answer.statusCode}`))))
      })
      sent.once('error', failed).end(text)
    })
  return {
    /** @returns points taken and the CPU seconds that they cost */
    async run(seconds, connections) {
      const bodies = Array.from({ length: pooled }, body)
      const before = cpuOf(child.pid)
      const until = performance.now() + seconds * 1000
      let batches = 0
      const one = async () => {
        while (performance.now() < until && bodies.length > 0) {
          await send(bodies.pop())
          batches++
        }
      }
      await Promise.all(Array.from({ length: connections }, one))
      return { points: batches * perBatch, cpu: cpuOf(child.pid) - before }
    },
    async stop() {
      agent.destroy()
      child.kill()
      // It writes until its end.
      await once(child, 'exit')
      dir.remove()
    },
  }
}
