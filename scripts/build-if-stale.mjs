// Builds what bin/ runs, unless it is newer than everything it is made of.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const built = [
  ...['watchpost-server', 'probe/watchpost-probe', 'ctl/monitorctl', 'rum'].map(name => join('dist', `${name}.js`)),
  join('dist', 'dashboard', 'index.html'),
]

/** Of tests nothing is built. */
const isOfTests = name => name === 'testing' || /\.test\.tsx?$/.test(name)

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter(name => !isOfTests(name))
  return Math.max(...names.map(name => newest(join(path, name))))
}

function stale() {
  if (!built.every(existsSync)) return true
  const oldest = Math.min(...built.map(file => statSync(file).mtimeMs))
  const sources = readdirSync('packages').map(name => join('packages', name, 'src'))
  const dashboard = ['index.html', 'vite.config.ts'].map(name => join('packages', 'dashboard', name))
  const made = [
    'tsup.config.ts',
    'scripts/build-rum.ts',
    'scripts/lean-bundles.ts',
    'package-lock.json',
    ...dashboard,
    ...sources,
  ].filter(existsSync)
  return made.some(path => newest(path) > oldest)
}

if (stale()) {
  process.stderr.write('Building…\n')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] })
  process.exitCode = status ?? 1
}
