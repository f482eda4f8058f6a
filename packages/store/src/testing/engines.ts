import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, inject } from 'vitest'
import type { Db } from '../db.ts'
import { openDb } from '../open.ts'

/** A place for one store: open it as often as you like, then remove it. */
export interface Place {
  open(): Promise<Db>
  /** For programs: `--data-dir` and, with PostgreSQL, `--database-url`. */
  dataDir: string
  databaseUrl: string | undefined
  remove(): Promise<void>
}

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

/** Runs a suite on SQLite and on a real PostgreSQL; every promise of the store is made for both. */
export function eachEngine(suite: (engine: Engine, place: () => Promise<Place>) => void): void {
  for (const engine of engines) describe(engine, () => suite(engine, () => newPlace(engine)))
}

/** An empty place: a directory, and for PostgreSQL a database of its own. */
export async function newPlace(engine: Engine): Promise<Place> {
  const dataDir = await mkdtemp(join(tmpdir(), 'watchpost-store-'))
  const databaseUrl = engine === 'postgres' ? await createDatabase() : undefined
  return {
    dataDir,
    databaseUrl,
    open: () => openDb({ dataDir, databaseUrl, exclusiveOwner: false }),
    async remove() {
      if (databaseUrl !== undefined) await dropDatabase(databaseUrl)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function createDatabase(): Promise<string> {
  const name = `t${randomBytes(8).toString('hex')}`
  await administer(`create database ${name}`)
  return `${inject('postgresUrl')}/${name}`
}

async function dropDatabase(url: string): Promise<void> {
  await administer(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/postgres` })
  await client.connect()
  await client.query(sql)
  await client.end()
}
