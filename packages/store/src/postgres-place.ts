import pg from 'pg'

/** A PostgreSQL database as a place for an instance, as far as it can be seen without changing anything. */
export interface PostgresPlace {
  /** As it says itself, such as `18.4`. */
  version: string
  /** Its clock, epoch ms. */
  now: number
  /** Where tables are made. */
  schema: string
  tables: number
  /** Ids of migrations that were made. */
  migrations: number[]
  mayCreate: boolean
  /** Who else is connected, as far as we may see it. */
  others: string[]
}

/** @throws with one line where it cannot be reached */
export async function lookAtPostgres(url: string): Promise<PostgresPlace> {
  return withClient(url, async client => {
    const one = async <T>(sql: string) => (await client.query(sql)).rows[0] as T
    const about = await one<{ version: string; now: string; schema: string | null; tables: number }>(
      `select current_setting('server_version') as version, extract(epoch from clock_timestamp())::text as now,
         current_schema() as schema,
         (select count(*)::integer from pg_tables where schemaname = current_schema()) as tables`,
    )
    const connected = await client.query(
      `select coalesce(nullif(application_name, ''), 'a program without a name') || ' of ' || coalesce(usename, 'somebody')
         || coalesce(' at ' || host(client_addr), '') as who
       from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
         and (backend_type = 'client backend' or (backend_type is null and usename is not null)) order by 1`,
    )
    const { schema } = about
    if (schema === null) throw new Error('it has no schema that tables could be made in')
    const { may } = await one<{ may: boolean }>(`select has_schema_privilege(current_schema(), 'create') as may`)
    const { there } = await one<{ there: boolean }>(`select to_regclass('schema_migrations') is not null as there`)
    const rows = there ? (await client.query('select id from schema_migrations order by id')).rows : []
    return {
      version: about.version.split(' ', 1)[0] as string,
      now: Number(about.now) * 1000,
      schema,
      tables: about.tables,
      migrations: rows.map(({ id }) => Number(id)),
      mayCreate: may,
      others: connected.rows.map(({ who }) => who),
    }
  })
}

/**
 * Moves everything in a schema aside, under another name, in one transaction.
 * @returns what brings it back, where nothing has come in its place
 */
export async function setAside(url: string, schema: string, name: string): Promise<() => Promise<void>> {
  const [from, to] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(name)]
  const grant = `grant usage on schema ${from} to public`
  await withClient(url, client => client.query(`alter schema ${from} rename to ${to}; create schema ${from}; ${grant}`))
  const back = `drop schema ${from}; alter schema ${to} rename to ${from}`
  return () => withClient(url, async client => void (await client.query(back)))
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 60_000 })
  client.on('error', () => undefined)
  const { host, pathname } = new URL(url)
  try {
    await client.connect()
    return await work(client)
  } catch (error) {
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: Error[] }
    const why =
      code === 'ECONNREFUSED' ? 'nothing listens there; is PostgreSQL running?' : message || errors?.[0]?.message
    throw new Error(`Cannot use database ${pathname.slice(1)} at ${host}: ${why || code}`, { cause: error })
  } finally {
    await client.end().catch(() => undefined)
  }
}
