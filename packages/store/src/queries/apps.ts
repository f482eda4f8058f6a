import { query } from './query.ts'

export interface AppRow {
  team_id: number
  id: number
  name: string
  /** JSON array. */
  allowed_origins: string
  /** Sealed. */
  app_token: string
  /** Sealed. */
  api_key: string
  version: number
  created_at: number
  updated_at: number
}

const columns = 'team_id, id, name, allowed_origins, app_token, api_key, version, created_at, updated_at'

/** What a list shows of it. */
export const appColumns = 'team_id, id, name, allowed_origins, created_at, updated_at'

export const appById = query<AppRow>('app.byId', `select ${columns} from apps where team_id = @team_id and id = @id`)

/** Whose telemetry it is, by the hash of what it was sent with. */
export interface AppOfKey {
  team_id: number
  id: number
  name: string
  /** JSON array. */
  allowed_origins: string
}

export const appByToken = query<AppOfKey>(
  'app.byToken',
  'select team_id, id, name, allowed_origins from apps where app_token_hash = @hash',
)

export const appByKey = query<AppOfKey>(
  'app.byKey',
  'select team_id, id, name, allowed_origins from apps where api_key_hash = @hash',
)

export const insertApp = query(
  'app.insert',
  `insert into apps (team_id, id, name, allowed_origins, app_token_hash, app_token, api_key_hash, api_key, version,
     created_at, updated_at)
   values (@team_id, @id, @name, @allowed_origins, @app_token_hash, @app_token, @api_key_hash, @api_key, 1,
     @created_at, @updated_at)`,
)

export const updateApp = query(
  'app.update',
  `update apps set name = @name, allowed_origins = @allowed_origins, version = version + 1, updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

export const rotateAppToken = query(
  'app.rotateToken',
  `update apps set app_token_hash = @hash, app_token = @app_token, version = version + 1, updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

export const rotateAppKey = query(
  'app.rotateKey',
  `update apps set api_key_hash = @hash, api_key = @api_key, version = version + 1, updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version`,
)

export const deleteApp = [
  query('app.delete', 'delete from apps where team_id = @team_id and id = @id'),
  query('app.deleteUsage', 'delete from usage where team_id = @team_id and app_id = @id'),
  query('app.deleteVisits', 'delete from rum_visits where team_id = @team_id and app_id = @id'),
  query('app.deleteTopUps', 'delete from top_ups where team_id = @team_id and app_id = @id'),
]
