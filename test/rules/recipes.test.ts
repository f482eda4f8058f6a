import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// The three recipes of CONTRIBUTING.md, followed in a copy: the compiler must ask for what the recipe says it asks for,
// and be content once it is there.

let copy: string

beforeEach(async () => {
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
afterEach(() => rm(copy, { recursive: true, force: true }))

/** Files that the compiler complains about. */
async function complaints(): Promise<string[]> {
  try {
    await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['--noEmit', '-p', copy], { cwd: copy })
    return []
  } catch (error) {
    const { stdout } = error as { stdout: string }
    return [...new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file]) => file as string))]
  }
}

async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  expect(text, `${file} has the place that the recipe names`).toContain(from)
  await writeFile(path, text.replace(from, to))
}

test('the copy compiles before anything is changed', async () => {
  expect(await complaints()).toEqual([])
})

describe('a new check type', () => {
  test('the word in the contract makes the compiler ask for the line in checks/check-types.ts, and nothing else', async () => {
    await edit('packages/contract/src/schema/monitor.ts', "'ssl', 'dns'] as const", "'ssl', 'dns', 'smtp'] as const")
    expect(await complaints()).toEqual(['packages/checks/src/check-types.ts'])

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
    const index = 'packages/checks/src/check-types.ts'
    await edit(
      index,
      "import { ssl } from './ssl.ts'",
      "import { smtp } from './smtp.ts'\nimport { ssl } from './ssl.ts'",
    )
    await edit(index, 'ssl, dns }', 'ssl, dns, smtp }')
    expect(await complaints()).toEqual([])
  })
})

describe('a new endpoint', () => {
  test('the entry in contract/routes makes the compiler ask for the handler', async () => {
    await edit(
      'packages/contract/src/routes/team.ts',
      'export const teamRoutes = {',
      `export const teamRoutes = {
        renameTeam: route({
          method: 'PATCH', path: '/v1/team', surface: 'user', role: 'owner', summary: 'Rename your team',
          envelope: 'updated', reply: Team,
        }),`,
    )
    expect(await complaints()).toEqual(['packages/server/src/api/team.ts'])
    await edit(
      'packages/server/src/api/team.ts',
      'Handlers<typeof teamRoutes> = {',
      `Handlers<typeof teamRoutes> = {
        async renameTeam() {
          return { id: 1, name: 'x', plan: 'free', caller: { role: 'owner', scopes: [] } }
        },`,
    )
    expect(await complaints()).toEqual([])
  })

  test('a handler that answers another shape does not compile', async () => {
    await edit('packages/server/src/api/team.ts', 'return { id, name, plan,', 'return { id: name, name, plan,')
    expect(await complaints()).toEqual(['packages/server/src/api/team.ts'])
  })
})

describe('a new alert channel', () => {
  test('the word in the contract, with its fields, makes the compiler ask for the line in channels/index.ts', async () => {
    await edit(
      'packages/contract/src/schema/channel.ts',
      "discord: { url: 'secret' },",
      "discord: { url: 'secret' },\n  pager: { url: 'secret' },",
    )
    expect(await complaints()).toEqual(['packages/server/src/channels/index.ts'])

    await writeFile(
      join(copy, 'packages/server/src/channels/pager.ts'),
      `import type { ChannelKind } from './channel.ts'
       export const pager: ChannelKind = { close: async () => undefined, deliver: async () => ({ ok: true }) }`,
    )
    const index = 'packages/server/src/channels/index.ts'
    await edit(index, 'import { createWebhook }', "import { pager } from './pager.ts'\nimport { createWebhook }")
    await edit(index, 'return { webhook:', 'return { pager, webhook:')
    expect(await complaints()).toEqual([])
  })
})
