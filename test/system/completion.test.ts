import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Terminal } from '../terminal.ts'
import { runProgram, World } from '../world.ts'

const execute = promisify(execFile)
const bin = new URL('../../bin', import.meta.url).pathname
let world: World
let env: Record<string, string>
const files: Record<string, string> = {}
const terminals: Terminal[] = []

beforeAll(async () => {
  world = await World.create()
  await world.server()
  env = { WATCHPOST_URL: world.url, WATCHPOST_TOKEN: world.credentials.api_token, HOME: world.dir }
  for (const name of ['Shop front', 'Mail']) {
    await world.ctl('monitors', 'create', '--name', name, '--type', 'tcp', '--target', 'a.example:1')
  }
  // Ids that begin alike: what they have in common is not what was typed.
  const tokens = Array.from({ length: 9 }, () => 'spare')
  for (const name of [...tokens, 'deploy one', 'deploy ten']) await world.ctl('tokens', 'create', '--name', name)
  for (const shell of ['bash', 'zsh', 'fish']) {
    const file = join(world.dir, shell)
    await writeFile(file, (await runProgram('monitorctl', ['completion', shell])).stdout)
    files[shell] = file
  }
})
afterEach(async () => {
  for (const terminal of terminals.splice(0)) await terminal.close()
})
afterAll(() => world.close())

const shell = (program: string, ...args: string[]) =>
  execute(program, args, { env: { ...process.env, ...env, PATH: `${bin}:${process.env.PATH}` } })

test.each([
  ['bash', '-n'],
  ['zsh', '-n'],
  ['fish', '-n'],
])('%s takes the script', async (program, flag) => {
  expect((await shell(program, flag, files[program] as string)).stderr).toBe('')
})

/** What bash would offer, asked as readline asks: `=` and `:` are words of their own. */
async function bash(...words: string[]): Promise<string[]> {
  const code = `source ${files.bash}; COMP_LINE=$1; shift; COMP_WORDS=(monitorctl "$@"); COMP_CWORD=$#; _monitorctl 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`
  const pieces = words.flatMap(word => (word === '' ? [''] : word.split(/([=:]+)/).filter(Boolean)))
  const line = ['monitorctl', ...words].join(' ')
  return (await shell('bash', '-c', code, 'bash', line, ...pieces)).stdout.split('\n').filter(each => each !== '')
}

/** What fish would offer, with what it means after a tab. */
async function fish(line: string): Promise<string[]> {
  const { stdout } = await shell('fish', '-c', `source ${files.fish}; complete -C '${line}'`)
  return stdout.split('\n').filter(each => each !== '')
}

describe('bash', () => {
  test.each([
    [['mon'], ['monitors']],
    [['monitors', 'pa'], ['pause']],
    [['team', 'members', 'a'], ['add']],
    [['monitors', 'create', '--ssl'], ['--ssl-verify']],
    [
      ['monitors', 'list', '--status', 'o'],
      ['online', 'offline'],
    ],
    [['monitors', 'list', '--status=off'], ['offline']],
    [
      ['monitors', 'list', '--status='],
      ['online', 'offline', 'pending', 'paused'],
    ],
    [['monitors', 'get', 'x:y'], []],
    [['monitors', 'create', '--wait', 'pe'], ['pending']],
    [['-o', 'j'], ['json']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['api', 'listMon'],
      ['listMonitors', 'listMonitorChecks'],
    ],
    [['help', 'incid'], ['incidents']],
    [
      ['monitors', 'get', ''],
      ['1  (Shop front)', '2  (Mail)'],
    ],
    [['monitors', 'get', 'sho'], ['1']],
    [['incidents', 'create', '--monitor-id', '2'], ['2']],
    [['maintenance', 'create', '--monitor', 'mai'], ['2']],
    [['status-pages', 'assign', '1', 'mail'], ['2']],
    [['monitors', 'nosuch', ''], []],
  ])('%j', async (words, offered) => {
    const got = await bash(...words)
    if (offered.length === 0) expect(got.filter(each => /\d/.test(each))).toEqual([])
    else expect(got).toEqual(offered)
  })

  test.each([
    [['monitors', 'create', '-f', 'package.j']],
    [['monitors', 'create', '--file=package.j']],
    [['import', '--from', 'gatus', 'package.j']],
  ])('files where a file is wanted: %j', async words => {
    expect(await bash(...words)).toEqual(['package.json'])
  })

  test('the server that the line names is asked, in either way of writing it', async () => {
    const before = env.WATCHPOST_URL as string
    expect(await bash('--url=http://127.0.0.1:9', 'monitors', 'get', '')).toEqual([])
    expect(await bash('--url', 'http://127.0.0.1:9', 'monitors', 'get', '')).toEqual([])
    // What a channel is to be told at is no server to ask, with our token.
    expect(await bash('channels', 'create', '--url', 'http://127.0.0.1:9', '--monitor-id', 'mai')).toEqual(['2'])
    env.WATCHPOST_URL = 'http://127.0.0.1:9'
    expect(await bash('--url', before, 'monitors', 'get', 'mai')).toEqual(['2'])
    expect(await bash(`--url=${before}`, 'monitors', 'get', 'mai')).toEqual(['2'])
    env.WATCHPOST_URL = before
  })

  test('a server that is not there is silent, and soon', async () => {
    const before = env.WATCHPOST_URL as string
    env.WATCHPOST_URL = 'http://127.0.0.1:9'
    const began = performance.now()
    expect(await bash('monitors', 'get', '')).toEqual([])
    expect(performance.now() - began).toBeLessThan(15_000)
    env.WATCHPOST_URL = before
  })

  test('Tab in a real terminal', async () => {
    const terminal = await Terminal.open('bash --norc --noprofile', env)
    terminals.push(terminal)
    await terminal.type(`PS1='ready> '; source ${files.bash}`, 'Enter')
    await terminal.shows(/^ready>$/m)
    await terminal.type('monitorctl monitors get sho', 'Tab')
    await terminal.shows('ready> monitorctl monitors get 1')
    await terminal.type('-o na', 'Tab', 'Enter')
    // What is typed before the shell reads again is not to be recognised afterwards.
    await terminal.shows(/^Shop front\s+ready>$/m)
    await terminal.type(`monitorctl --url ${world.url} --output=ta`, 'Tab', 'monitors get ma', 'Tab')
    await terminal.shows(`ready> monitorctl --url ${world.url} --output=table monitors get 2`)
    await terminal.type('C-u', 'monitorctl monitors list > /etc/hostna', 'Tab')
    await terminal.shows('list > /etc/hostname')
    await terminal.type('C-u', 'monitorctl import --from gatus /etc/hostna', 'Tab')
    await terminal.shows('gatus /etc/hostname')
  })

  test('a name that several have stays as it was typed', async () => {
    const terminal = await Terminal.open('bash --norc --noprofile', env)
    terminals.push(terminal)
    await terminal.type(`PS1='ready> '; source ${files.bash}`, 'Enter')
    await terminal.shows(/^ready>$/m)
    await terminal.type('monitorctl tokens revoke deplo', 'Tab', 'Tab')
    await terminal.shows(/\(deploy one\)[\s\S]*\(deploy ten\)/)
    await terminal.type('y')
    await terminal.shows(/^ready> monitorctl tokens revoke deploy$/m)
  })
})

describe('zsh', () => {
  test('Tab in a real terminal: commands, and an id by its name', async () => {
    const terminal = await Terminal.open('zsh -f', env)
    terminals.push(terminal)
    await terminal.type(`PS1='ready> '; autoload -U compinit && compinit -u -D && source ${files.zsh}`, 'Enter')
    await terminal.shows(/^ready>$/m)
    await terminal.type('monitorctl incid', 'Tab')
    await terminal.shows('monitorctl incidents')
    await terminal.type('C-u')
    await terminal.type('monitorctl monitors get sho', 'Tab')
    await terminal.shows('monitorctl monitors get 1')
    await terminal.type('C-u')
    await terminal.type('monitorctl monitors get ', 'Tab')
    await terminal.shows(/1 +-- Shop front\s+2 +-- Mail/)
  })

  test('a name that several have stays as it was typed', async () => {
    const terminal = await Terminal.open('zsh -f', env)
    terminals.push(terminal)
    await terminal.type(`PS1='ready> '; autoload -U compinit && compinit -u -D && source ${files.zsh}`, 'Enter')
    await terminal.shows(/^ready>$/m)
    await terminal.type('monitorctl tokens revoke deplo', 'Tab')
    await terminal.shows(/-- deploy one\s+\d+ +-- deploy ten/)
    await terminal.type('y')
    await terminal.shows(/^ready> monitorctl tokens revoke deploy$/m)
    await terminal.type('C-u', 'monitorctl import --from gatus /etc/hostna', 'Tab')
    await terminal.shows('gatus /etc/hostname')
  })
})

describe('fish', () => {
  test.each([
    ['monitorctl mon', ['monitors\tWhat is watched']],
    ['monitorctl monitors get ', ['1\tShop front', '2\tMail']],
    ['monitorctl monitors get sho', ['1\tShop front']],
    ['monitorctl monitors list --status=of', ['--status=offline']],
    ['monitorctl --url=http://127.0.0.1:9 monitors get ', []],
    ['monitorctl import --from gatus package.j', ['package.json']],
  ])('%s', async (line, offered) => {
    expect(await fish(line)).toEqual(offered)
  })

  test('a name that several have stays as it was typed', async () => {
    const terminal = await Terminal.open('fish --no-config', { ...env, TERM: 'xterm' })
    terminals.push(terminal)
    await terminal.type(`function fish_prompt; echo 'ready> '; end; source ${files.fish}; clear`, 'Enter')
    await terminal.shows(/^ready>/m)
    await terminal.type('monitorctl tokens revoke deplo', 'Tab')
    await terminal.shows(/deploy one[\s\S]*deploy ten/)
    await terminal.type('Escape')
    await terminal.shows(/^ready> monitorctl tokens revoke deplo$/m)
  })
})
