// Start-up of monitorctl beside Node's own: rounds alternate, so that all of them meet the same machine.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { flags, median, ours, root, table } from './lib.mjs'

const given = flags({ rounds: 25, monitors: 20 })
const product = await ours({ monitors: Number(given.monitors) })
const env = { ...process.env, WATCHPOST_URL: product.url, WATCHPOST_TOKEN: product.apiToken }
const ctl = join(root, 'bin/monitorctl')
const commands = [
  ['node -e 0', process.execPath, '-e', '0'],
  ['monitorctl --version', ctl, '--version'],
  ['monitorctl monitors list', ctl, 'monitors', 'list'],
].map(([name, ...words]) => ({ name, words, ms: [] }))
for (let round = 0; round <= Number(given.rounds); round++) {
  for (const { name, words, ms } of commands) {
    const began = performance.now()
    const { status } = spawnSync(words[0], words.slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`${name} ended with ${status}`)
    // The first round fills the caches.
    if (round > 0) ms.push(performance.now() - began)
  }
}
const [node] = commands
table(
  ['command', 'ms, median', 'ms, least', 'of node -e 0'],
  commands.map(({ name, ms }) => [
    name,
    median(ms).toFixed(1),
    Math.min(...ms).toFixed(1),
    (median(ms) / median(node.ms)).toFixed(2),
  ]),
)
await product.close()
