// Builds what bin/ runs, unless it is newer than everything it is made of.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const built = ['watchpost-server', 'probe/watchpost-probe', 'ctl/monitorctl'].map(name => join('dist', `${name}.js`))

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))))
}

function stale() {
  if (!built.every(existsSync)) return true
  const oldest = Math.min(...built.map(file => statSync(file).mtimeMs))
  const sources = readdirSync('packages').map(name => join('packages', name, 'src'))
  return ['tsup.config.ts', 'package-lock.json', ...sources].some(path => newest(path) > oldest)
}

if (stale()) {
  process.stderr.write('Building…\n')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.exitCode = status ?? 1
}
