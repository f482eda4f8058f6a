import { query } from './query.ts'

export interface SessionRow {
  hash: string
  user_id: number
  team_id: number
  created_at: number
  seen_at: number
  expires_at: number
  email: string
  role: string
}

/** A log-in as it stands this moment: who it is, and their role in its team. There is none without a membership. */
export const sessionByHash = query<SessionRow>(
  'session.byHash',
  `select s.hash, s.user_id, s.team_id, s.created_at, s.seen_at, s.expires_at, u.email, m.role
   from sessions s
   join users u on u.id = s.user_id
   join members m on m.team_id = s.team_id and m.user_id = s.user_id
   where s.hash = @hash`,
)

/** Only if the password is still the one that was shown to be known. */
export const insertSession = query(
  'session.insert',
  `insert into sessions (hash, user_id, team_id, created_at, seen_at, expires_at)
   select cast(@hash as text), u.id, cast(@team_id as bigint), cast(@created_at as bigint), cast(@created_at as bigint),
     cast(@expires_at as bigint)
   from users u where u.id = @user_id and u.password_hash = @password_hash`,
)

/** Flushed every few seconds, not per request. */
export const touchSession = query(
  'session.touch',
  'update sessions set seen_at = @at, expires_at = @expires_at where hash = @hash',
)

export const switchSession = query(
  'session.switch',
  `update sessions set team_id = @team_id
   where hash = @hash
     and exists (select 1 from members m where m.team_id = @team_id and m.user_id = sessions.user_id)`,
)

export const deleteSession = query('session.delete', 'delete from sessions where hash = @hash')

export const deleteOtherSessions = query(
  'session.deleteOthers',
  'delete from sessions where user_id = @user_id and hash <> @hash',
)

export const deleteMemberSessions = query(
  'session.deleteOfMember',
  'delete from sessions where team_id = @team_id and user_id = @user_id',
)

export const sweepSessions = query('session.sweep', 'delete from sessions where expires_at <= @at')
