import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// The three recipes of CONTRIBUTING.md, followed in a copy: the compiler must ask for what the recipe says it asks for,
// and be content once it is there. All three at once: a run of the compiler is most of what this costs.

let copy: string

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'watchpost-recipe-'))
  const skip = (path: string) => !/node_modules|\.test\.tsx?$/.test(path)
  await cp('packages', join(copy, 'packages'), { recursive: true, filter: skip })
  await writeFile(
    join(copy, 'tsconfig.json'),
    JSON.stringify({ extends: resolve('tsconfig.json'), include: ['packages/*/src'], exclude: ['**/testing/**'] }),
  )
  await mkdir(join(copy, 'node_modules', '@watchpost'), { recursive: true })
  for (const name of await readdir('node_modules')) {
    if (name !== '@watchpost') await symlink(resolve('node_modules', name), join(copy, 'node_modules', name))
  }
  for (const name of await readdir('packages')) {
    await symlink(join(copy, 'packages', name), join(copy, 'node_modules', '@watchpost', name))
  }
})
afterAll(() => rm(copy, { recursive: true, force: true }))

/** Files that the compiler complains about. */
async function complaints(): Promise<string[]> {
  const args = ['--noEmit', '--incremental', '--tsBuildInfoFile', join(copy, 'build-info'), '-p', copy]
  try {
    await promisify(execFile)(resolve('node_modules/.bin/tsc'), args, { cwd: copy })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: string }
    return [...new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file as string))].sort()
  }
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  expect(text, `${file} has the place that the recipe names`).toContain(from)
  await writeFile(path, text.replace(from, to))
}

test('the words of a new check type, endpoint and channel make the compiler ask for one line each, and nothing else', async () => {
  await edit('packages/contract/src/schema/monitor.ts', "'ssl', 'dns'] as const", "'ssl', 'dns', 'smtp'] as const")
  await edit(
    'packages/contract/src/routes/team.ts',
    'export const teamRoutes = {',
    `export const teamRoutes = {
      renameTeam: route({
        method: 'PATCH', path: '/v1/team', surface: 'user', role: 'owner', summary: 'Rename your team',
        envelope: 'updated', reply: Team,
      }),`,
  )
  await edit(
    'packages/contract/src/schema/channel.ts',
    "discord: { url: 'secret' },",
    "discord: { url: 'secret' },\n  pager: { url: 'secret' },",
  )
  expect(await complaints()).toEqual([
    'packages/checks/src/check-types.ts',
    'packages/server/src/api/team.ts',
    'packages/server/src/channels/index.ts',
  ])
})

test('once they are there it is content', async () => {
  await writeFile(
    join(copy, 'packages/checks/src/smtp.ts'),
    `import Type from 'typebox'
     import type { CheckType } from './check-type.ts'
     export const smtp: CheckType = {
       options: Type.Object({}),
       parseTarget: () => undefined,
       run: async () => ({ status: 'online', response_time_ms: 1, error_kind: null, error_message: null, timings: {}, details: {} }),
     }`,
  )
  const types = 'packages/checks/src/check-types.ts'
  await edit(
    types,
    "import { ssl } from './ssl.ts'",
    "import { smtp } from './smtp.ts'\nimport { ssl } from './ssl.ts'",
  )
  await edit(types, 'ssl, dns }', 'ssl, dns, smtp }')
  await edit(
    'packages/server/src/api/team.ts',
    'Handlers<typeof teamRoutes> = {',
    `Handlers<typeof teamRoutes> = {
      async renameTeam() {
        return { id: 1, name: 'x', plan: 'free', caller: { role: 'owner', scopes: [] } }
      },`,
  )
  await writeFile(
    join(copy, 'packages/server/src/channels/pager.ts'),
    `import type { ChannelKind } from './channel.ts'
     export const pager: ChannelKind = { close: async () => undefined, deliver: async () => ({ ok: true }) }`,
  )
  const channels = 'packages/server/src/channels/index.ts'
  await edit(channels, 'import { createWebhook }', "import { pager } from './pager.ts'\nimport { createWebhook }")
  await edit(channels, 'return { webhook:', 'return { pager, webhook:')
  expect(await complaints()).toEqual([])
})

test('a handler that answers another shape does not compile', async () => {
  await edit('packages/server/src/api/team.ts', 'return { id, name, plan,', 'return { id: name, name, plan,')
  expect(await complaints()).toEqual(['packages/server/src/api/team.ts'])
})
