import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { httpTarget, type Target } from '../targets.ts'
import { eventually, type Ran, World } from '../world.ts'

const execute = promisify(execFile)
const bin = new URL('../../bin', import.meta.url).pathname
const folder = new URL('../../examples/ci/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

/** What a pipeline runs, in order; the last of `jobs` is not run once one before has failed. */
interface Pipeline {
  shell: string[]
  jobs: string[][]
  /** Run when one has failed. */
  failed: string[]
}

/** As each of the three runs what its file says. */
const pipelines: Record<string, () => Pipeline> = {
  'github-actions.yaml'() {
    const { defaults, jobs } = parse(read('github-actions.yaml'))
    const steps: { run?: string; if?: string }[] = jobs.deploy.steps
    const runs = (on: string | undefined) =>
      steps.filter(each => each.run && each.if === on).map(each => each.run ?? '')
    // Only where the file names bash does a runner add `pipefail`.
    const named = defaults?.run?.shell === 'bash'
    const shell = named ? ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c'] : ['bash', '-e', '-c']
    return { shell, jobs: [runs(undefined)], failed: runs('failure()') }
  },
  'gitlab-ci.yaml'() {
    const { stages, ...jobs } = parse(read('gitlab-ci.yaml'))
    const ordered = stages.map((stage: string) =>
      Object.values(jobs).find(job => (job as Job).stage === stage),
    ) as Job[]
    return {
      shell: ['bash', '-eo', 'pipefail', '-c'],
      jobs: ordered.map(job => job.script),
      failed: ordered.flatMap(job => job.after_script ?? []),
    }
  },
  Jenkinsfile() {
    const [stages = '', post = ''] = read('Jenkinsfile').split(/^ {2}post \{/m)
    const blocks = (text: string) => [...text.matchAll(/sh '''([\s\S]*?)'''/g)].map(([, script]) => script as string)
    return { shell: ['sh', '-xec'], jobs: [blocks(stages)], failed: blocks(post) }
  },
}

interface Job {
  stage: string
  script: string[]
  after_script?: string[]
}

let world: World
let target: Target
let shop: number

beforeAll(async () => {
  world = await World.create()
  await world.server()
  const { token } = await world.ctl<{ token: string }>('probes', 'create', '--name', 'p')
  await world.probe(token)
  target = await httpTarget()
  const flags = ['--name', 'Shop', '--type', 'http', '--target', String(target.monitor.target), '--interval', '10']
  const fast = ['--timeout', '2', '--option', 'confirmations=1', '--option', 'auto_incident=false']
  shop = (await world.ctl<{ id: number }>('monitors', 'create', ...flags, ...fast, '--wait', 'online')).id
})
afterAll(async () => {
  await world.close()
  await target.stop()
})

/** Runs the pipeline where `deploy.sh` does this, and what should answer before that does so within `patience`. */
async function runs(name: string, deploy: string, patience = '60s') {
  const { shell, jobs, failed } = (pipelines[name] as () => Pipeline)()
  const dir = await mkdtemp(join(world.dir, 'ci-'))
  await writeFile(join(dir, 'deploy.sh'), `#!/bin/sh\n${deploy}\n`)
  await chmod(join(dir, 'deploy.sh'), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: world.dir,
    CI: 'true',
    WATCHPOST_URL: world.url,
    WATCHPOST_TOKEN: world.credentials.api_token,
    MONITOR: String(shop),
    PREVIEW_URL: String(target.monitor.target),
    GITHUB_SHA: '0123456789abcdef',
    CI_COMMIT_SHORT_SHA: '01234567',
    BUILD_TAG: 'jenkins-shop-7',
  }
  const [program = '', ...args] = shell
  const step = async (script: string, more: Record<string, string> = {}): Promise<Ran> => {
    try {
      return { code: 0, ...(await execute(program, [...args, script], { cwd: dir, env: { ...env, ...more } })) }
    } catch (error) {
      return error as Ran
    }
  }
  let output = ''
  const say = ({ stdout, stderr }: Ran) => (output += stdout + stderr)
  for (const script of jobs.flat()) {
    const ran = await step(script.replace('--wait-timeout 60s', `--wait-timeout ${patience}`))
    say(ran)
    if (ran.code === 0) continue
    for (const after of failed) say(await step(after, { CI_JOB_STATUS: 'failed' }))
    return { code: ran.code, output, dir }
  }
  return { code: 0, output, dir }
}

const incidents = () => world.ctl<{ data: { title: string }[] }>('incidents', 'list')

test('every example is run', () => {
  expect(Object.keys(pipelines).sort()).toEqual(readdirSync(folder).sort())
})

describe.each(Object.keys(pipelines))('%s', name => {
  test('deploys within a window, and finds everything online', async () => {
    const before = (await incidents()).data.length
    const { code, output, dir } = await runs(name, 'echo deployed > done')
    expect(code, output).toBe(0)
    expect(await readFile(join(dir, 'done'), 'utf8')).toBe('deployed\n')
    const windows = await world.ctl<{ data: { status: string; monitor_ids: number[] }[] }>('maintenance', 'list')
    expect(windows.data.at(0)).toMatchObject({ status: 'ended', monitor_ids: [shop] })
    expect((await incidents()).data).toHaveLength(before)
    // A preview is not watched for ever.
    expect(await world.ctl('monitors', 'list', '--type', 'http')).toMatchObject({ meta: { total: 1 } })
  })

  test('a deployment that fails opens an incident, and the code is its own', async () => {
    const before = (await incidents()).data.length
    const { code, output } = await runs(name, 'exit 7')
    expect(code, output).toBe(7)
    const { data } = await incidents()
    expect(data).toHaveLength(before + 1)
    expect(data.some(({ title }) => /^Deployment .*failed$/.test(title))).toBe(true)
  })
})

test('a preview that does not answer is not deployed, and not watched for ever', async () => {
  await target.stop()
  const { code, output, dir } = await runs('github-actions.yaml', 'echo deployed > done', '2s')
  expect(code, output).toBe(1)
  expect(existsSync(join(dir, 'done')), output).toBe(false)
  expect(await world.ctl('monitors', 'list', '--type', 'http')).toMatchObject({ meta: { total: 1 } })
})

test('what is offline fails the last step of each, which names it', async () => {
  await eventually('the monitor is offline', async () => {
    return (await world.ctl<{ status: string }>('monitors', 'get', String(shop))).status === 'offline'
  })
  for (const [name, pipeline] of Object.entries(pipelines)) {
    const env = {
      PATH: `${bin}:${process.env.PATH}`,
      WATCHPOST_URL: world.url,
      WATCHPOST_TOKEN: world.credentials.api_token,
    }
    const { shell, jobs } = pipeline()
    const [program = '', ...args] = shell
    const verify = jobs.flat().at(-1) as string
    const ran = await execute(program, [...args, verify], { cwd: world.dir, env }).catch(error => error as Ran)
    expect(ran).toMatchObject({ code: 1 })
    const said = name.startsWith('github') ? ran.stdout : await readFile(join(world.dir, 'watchpost.xml'), 'utf8')
    expect(said).toContain('Shop')
  }
})
