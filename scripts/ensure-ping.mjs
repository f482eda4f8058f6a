// The ping checks are tested with the real ping: installed where that is allowed, otherwise named.
import { spawnSync } from 'node:child_process'

const works = () => spawnSync('ping', ['-c', '1', '127.0.0.1'], { stdio: 'ignore' }).status === 0

if (!works() && process.getuid?.() === 0) {
  process.stderr.write('Installing iputils-ping…\n')
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
  spawnSync('apt-get', ['install', '-y', '-qq', 'iputils-ping'], { stdio: 'ignore' })
}
if (!works()) {
  process.stderr.write('The tests need a ping that this user may run: apt-get install iputils-ping\n')
  process.exitCode = 1
}
