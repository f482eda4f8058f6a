import { afterEach, beforeEach, expect, test } from 'vitest'
import { monitorctl } from '../../../testing/monitorctl.ts'
import { type ServerDouble, startServerDouble } from '../../../testing/server-double.ts'

let server: ServerDouble
const members = () => [
  { id: 1, email: 'ada@example.com', role: 'owner', created_at: '2026-11-21T09:30:00.000Z' },
  { id: 3, email: 'bob@example.com', role: 'viewer', created_at: '2026-11-21T09:30:00.000Z' },
]
beforeEach(async () => {
  server = await startServerDouble({ members: members(), invitations: [] })
})
afterEach(() => server.close())

const run = (...argv: string[]) => monitorctl(['team', ...argv], { server })
const asked = () => server.seen.map(({ method, path, body }) => [method, path, body])

test('members are listed, and filtered by the server', async () => {
  const { stdout } = await run('members', 'list')
  expect(stdout).toMatch(/ID\s+E-MAIL\s+ROLE[\s\S]*1\s+ada@example\.com\s+owner[\s\S]*3\s+bob@example\.com\s+viewer/)
  const { data } = JSON.parse((await run('members', 'list', '--role', 'owner', '-o', 'json')).stdout)
  expect(data.map((each: { id: number }) => each.id)).toEqual([1])
})

test('somebody is invited, with the token shown once', async () => {
  const { code, stdout, stderr } = await run('members', 'add', '--email', 'eve@example.com', '--role', 'admin')
  expect([code, asked()]).toEqual([0, [['POST', '/v1/team/members', { email: 'eve@example.com', role: 'admin' }]]])
  expect(stdout).toContain('wp_invite_fresh')
  expect(stderr).toContain('Keep the token now')
  expect((await run('members', 'add', '--role', 'admin')).stderr).toContain('--email: is required')
})

test('a role is changed', async () => {
  const { code, stdout } = await run('members', 'update', '3', '--role', 'admin', '-o', 'json')
  expect([code, asked()]).toEqual([0, [['PATCH', '/v1/team/members/3', { role: 'admin' }]]])
  expect(JSON.parse(stdout)).toMatchObject({ id: 3, role: 'admin' })
  expect((await run('members', 'update', '3')).code).toBe(2)
})

test('somebody is removed, where nobody can be asked only with --yes', async () => {
  expect((await run('members', 'remove', '3')).code).toBe(2)
  expect(asked()).toEqual([])
  expect((await run('members', 'remove', '3', '--yes')).code).toBe(0)
  expect(asked()).toEqual([['DELETE', '/v1/team/members/3', undefined]])
  const { code, stderr } = await run('members', 'remove', '3', '--yes')
  expect([code, stderr]).toEqual([
    4,
    'error: Not found (team members remove 3); "monitorctl team members list" shows what there is\n',
  ])
})

test('help names the nouns under team', async () => {
  const { stdout } = await run('--help')
  expect(stdout).toMatch(/members[\s\S]*invitations/)
  expect((await run('members', '--help')).stdout).toMatch(/list[\s\S]*add[\s\S]*update[\s\S]*remove/)
})
