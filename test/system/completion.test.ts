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

/** What bash would offer, asked as readline asks. */
async function bash(...words: string[]): Promise<string[]> {
  const code = `source ${files.bash}; COMP_WORDS=(monitorctl "$@"); COMP_CWORD=$#; _monitorctl; printf '%s\\n' "\${COMPREPLY[@]}"`
  return (await shell('bash', '-c', code, 'bash', ...words)).stdout.split('\n').filter(line => line !== '')
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
    [['monitors', 'list', '--status', '=', 'off'], ['offline']],
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

  test('files where a file is wanted', async () => {
    expect(await bash('monitors', 'create', '-f', 'package.j')).toEqual(['package.json'])
  })

  test('a server that is not there is silent, and soon', async () => {
    const before = env.WATCHPOST_URL as string
    env.WATCHPOST_URL = 'http://127.0.0.1:9'
    const began = performance.now()
    expect(await bash('monitors', 'get', '')).toEqual([])
    expect(performance.now() - began).toBeLessThan(4000)
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
    await terminal.shows(/^Shop front$/m)
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
})

describe('fish', () => {
  test.each([
    ['monitorctl mon', ['monitors\tWhat is watched']],
    ['monitorctl monitors get ', ['1\tShop front', '2\tMail']],
    ['monitorctl monitors get sho', ['1\tShop front']],
    ['monitorctl monitors list --status=of', ['--status=offline']],
  ])('%s', async (line, offered) => {
    expect(await fish(line)).toEqual(offered)
  })
})
