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
  /** Its maker; null where no person made it. */
  user_id: number | null
}

export const tokenColumns = 'team_id, id, name, role, scopes, created_at, last_used_at, expires_at, user_id'

/** A token and what its maker is by now: null where the maker has left the team. */
export const tokenByHash = query<TokenRow & { maker_role: string | null }>(
  'token.byHash',
  `select t.team_id, t.id, t.name, t.role, t.scopes, t.created_at, t.last_used_at, t.expires_at, t.user_id,
     m.role as maker_role
   from tokens t left join members m on m.team_id = t.team_id and m.user_id = t.user_id
   where t.hash = @hash`,
)

export const tokenById = query<TokenRow>(
  'token.byId',
  `select ${tokenColumns} from tokens where team_id = @team_id and id = @id`,
)

export const insertToken = query(
  'token.insert',
  `insert into tokens (team_id, id, name, role, scopes, hash, created_at, expires_at, user_id)
   values (@team_id, @id, @name, @role, @scopes, @hash, @created_at, @expires_at, @user_id)`,
)

export const deleteToken = query('token.delete', 'delete from tokens where team_id = @team_id and id = @id')

/** Flushed every few seconds, not per request: one hot row per token would make writers queue. */
export const touchToken = query(
  'token.touch',
  'update tokens set last_used_at = @at where team_id = @team_id and id = @id',
)
