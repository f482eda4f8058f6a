import { insertApp, insertTeam, migrate, migrations, rotateAppToken } from '@watchpost/store'
import { eachEngine } from '@watchpost/store/testing'
import { expect, test } from 'vitest'
import { Changes, tellingChanges } from '../changes.ts'
import { KnownApps } from './known-apps.ts'

eachEngine((engine, newPlace) => {
  test('an app is known for a moment on SQLite, and a token that was rotated is refused at once', async () => {
    const place = await newPlace()
    const changes = new Changes()
    const inner = await place.open()
    const db = tellingChanges(inner, changes)
    await migrate(db, migrations)
    const at = { created_at: 1, updated_at: 1 }
    const keys = { app_token: 't', api_key_hash: 'k', api_key: 'k', allowed_origins: '[]' }
    await db.commit([
      { query: insertTeam, params: { id: 1, name: 'Shop', plan: 'free', created_at: 1 } },
      { query: insertApp, params: { team_id: 1, id: 1, name: 'Shop', app_token_hash: 'one', ...keys, ...at } },
    ])
    let now = 0
    let reads = 0
    const one: typeof db.one = (query, params) => {
      reads++
      return db.one(query, params)
    }
    const apps = new KnownApps({ ...db, one }, changes, () => now)
    let version = 0
    const rotate = (hash: string) => ({
      query: rotateAppToken,
      params: { team_id: 1, id: 1, hash, app_token: hash, updated_at: 2, version: ++version },
    })
    for (let turn = 0; turn < 3; turn++) expect((await apps.find('one'))?.name).toBe('Shop')
    expect(reads).toBe(engine === 'sqlite' ? 1 : 3)

    await db.commit([rotate('two')])
    expect(await apps.find('one')).toBeUndefined()
    expect((await apps.find('two'))?.id).toBe(1)
    // By a command beside the server.
    await inner.commit([rotate('three')])
    now += 1000
    expect(await apps.find('two')).toBeUndefined()
    expect(await apps.find('nobody')).toBeUndefined()
    await db.close()
    await place.remove()
  })
})
