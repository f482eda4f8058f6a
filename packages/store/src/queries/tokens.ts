import { query } from './query.ts'

export interface TokenRow {
  team_id: number
  id: number
  name: string
  role: string
  /** JSON array. */
  scopes: string
  created_at: number
  last_used_at: number | null
  expires_at: number | null
}

export const tokenColumns = 'team_id, id, name, role, scopes, created_at, last_used_at, expires_at'

export const tokenByHash = query<TokenRow>('token.byHash', `select ${tokenColumns} from tokens where hash = @hash`)

export const tokenById = query<TokenRow>(
  'token.byId',
  `select ${tokenColumns} from tokens where team_id = @team_id and id = @id`,
)

export const insertToken = query(
  'token.insert',
  `insert into tokens (team_id, id, name, role, scopes, hash, created_at, expires_at)
   values (@team_id, @id, @name, @role, @scopes, @hash, @created_at, @expires_at)`,
)

export const deleteToken = query('token.delete', 'delete from tokens where team_id = @team_id and id = @id')

/** Flushed every few seconds, not per request: one hot row per token would make writers queue. */
export const touchToken = query(
  'token.touch',
  'update tokens set last_used_at = @at where team_id = @team_id and id = @id',
)
