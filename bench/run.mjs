// npm run bench -- results --rounds 3
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'

const aids = [
  'lib',
  'load',
  'floor',
  'bare',
  'nginx',
  'run',
  'plane',
  'probe',
  'targets',
  'blackbox',
  'kuma',
  'victoria',
  'slow',
  'span-load',
  'rum-load',
  'delay',
]
const names = readdirSync(import.meta.dirname).flatMap(name => (/^([\w-]+)\.mjs$/.exec(name) ?? []).slice(1))
const [name, ...rest] = process.argv.slice(2)
if (!names.includes(name) || aids.includes(name)) {
  process.stderr.write(`npm run bench -- ${names.filter(each => !aids.includes(each)).join('|')} [--flag value …]\n`)
  process.exit(2)
}
spawn(process.execPath, [`${import.meta.dirname}/${name}.mjs`, ...rest], { stdio: 'inherit' }).on('exit', code => {
  process.exitCode = code ?? 1
})
