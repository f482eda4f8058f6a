import { newPlace } from '@watchpost/store/testing'
import { afterAll, beforeAll, describe } from 'vitest'
import { castOf, type People } from './people.ts'
import { World, type WorldOptions } from './world.ts'

/** A server on one engine, and the cast that talks to it; there once the tests run. */
export interface Stage {
  world: World
  people: People
}

/** Runs the same sentences on a server of each engine. */
export function onEachEngine(tests: (stage: Stage, engine: string) => void, env: WorldOptions['env'] = {}): void {
  describe.each(['sqlite', 'postgres'] as const)('on %s', engine => {
    const stage = {} as Stage
    let place: Awaited<ReturnType<typeof newPlace>>

    beforeAll(async () => {
      place = await newPlace(engine)
      const storage = place.databaseUrl === undefined ? {} : { databaseUrl: place.databaseUrl }
      stage.world = await World.create({ ...storage, env })
      await stage.world.server()
      stage.people = await castOf(stage.world)
    })
    afterAll(async () => {
      await stage.world?.close()
      await place?.remove()
    })
    tests(stage, engine)
  })
}
