import { randomBytes } from 'node:crypto'
import type { ApplyWrite, ChangePlan, planRoutes } from '@watchpost/contract'
import { type Db, insertTeam, migrate, migrations } from '@watchpost/store'
import { eachEngine, type Place } from '@watchpost/store/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../context.ts'
import type { Ask, Handler, UserCaller } from '../http/handler.ts'
import { createKeyring } from '../secrets.ts'
import { planHandlers } from './plan.ts'

const monitor = { name: 'Shop', type: 'http', target: 'http://shop.example/' } as const
const hook = { name: 'hook', type: 'webhook', url: 'https://hooks.example/' } as const
const page = { slug: 'shop', title: 'Shop' }

eachEngine((_engine, newPlace) => {
  let place: Place
  let db: Db
  let context: Context
  /** What somebody does once an apply has been allowed, and before it is done. */
  let meanwhile: () => Promise<unknown> = async () => undefined
  beforeAll(async () => {
    place = await newPlace()
    db = await place.open()
    await migrate(db, migrations)
    await db.commit([{ query: insertTeam, params: { id: 1, name: 'Ours', plan: 'free', created_at: 0 } }])
    const exclusively = async <T>(_id: number, work: () => Promise<T>) => {
      const happens = meanwhile
      meanwhile = async () => undefined
      await happens()
      return work()
    }
    context = {
      db,
      config: { registration: 'closed' },
      keyring: createKeyring(randomBytes(32).toString('hex')),
      results: { exclusively },
      domains: { changed: async () => undefined },
      windows: { read: async () => undefined },
      now: () => Date.parse('2026-11-21T10:00:00Z'),
      eventCommitted: () => undefined,
    } as unknown as Context
  })
  afterAll(async () => {
    await db.close()
    await place.remove()
  })

  const person = { team_id: 1, as: 'token 1', user_id: 1, session: undefined } as const
  const owner: UserCaller = { ...person, role: 'owner', scopes: ['status-pages:write'] }
  const { handle } = planHandlers.applyResources as Handler<typeof planRoutes.applyResources>
  const apply = (body: ApplyWrite, caller = owner) =>
    handle({ body, caller, context } as unknown as Ask<typeof planRoutes.applyResources>, undefined as never)
  const changes = async (resources: ApplyWrite['resources']): Promise<string[]> =>
    ((await apply({ resources, dry_run: true })) as ChangePlan).changes.map(({ kind }) => kind)

  test('what an apply has come to change meanwhile is asked for, too', async () => {
    const before = { monitors: [monitor], channels: [hook], status_pages: [page] }
    const files = { ...before, monitors: [{ ...monitor, interval: 30 }] }
    await apply({ resources: before })

    meanwhile = () => apply({ resources: { channels: [{ ...hook, enabled: false }] } })
    const member = apply({ resources: files }, { ...owner, role: 'member' })
    await expect(member).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('channels') })
    expect(await changes(files)).toEqual(['monitors', 'channels'])

    meanwhile = () => apply({ resources: { status_pages: [{ ...page, title: 'Closed' }] } })
    const resources = { monitors: files.monitors, status_pages: files.status_pages }
    const bare = apply({ resources }, { ...owner, scopes: [] })
    await expect(bare).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining('scope') })
    expect(await changes(files)).toEqual(['monitors', 'status_pages', 'channels'])

    meanwhile = () => apply({ resources: { channels: [hook] } })
    await apply({ resources: files })
    expect(await changes(files)).toEqual([])
  })
})
