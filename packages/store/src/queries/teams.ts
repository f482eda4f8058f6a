import { query } from './query.ts'

export interface TeamRow {
  id: number
  name: string
  plan: string
  created_at: number
}

export const countTeams = query<{ count: number }>('team.count', 'select count(*) as count from teams')

export const teamById = query<TeamRow>('team.byId', 'select * from teams where id = @id')

export const teamsByName = query<TeamRow>('team.byName', 'select * from teams where name = @name order by id')

export const insertTeam = query(
  'team.insert',
  'insert into teams (id, name, plan, created_at) values (@id, @name, @plan, @created_at)',
)

export const insertUser = query(
  'user.insert',
  'insert into users (id, email, password_hash, created_at) values (@id, @email, @password_hash, @created_at)',
)

export interface UserRow {
  id: number
  email: string
  password_hash: string
}

export const userByEmail = query<UserRow>(
  'user.byEmail',
  'select id, email, password_hash from users where email = @email',
)

export const userById = query<UserRow>('user.byId', 'select id, email, password_hash from users where id = @id')

/** Unless somebody has set another in the meantime. */
export const setPassword = query(
  'user.setPassword',
  'update users set password_hash = @password_hash where id = @id and password_hash = @old_password_hash',
)

/**
 * Makes whoever decides something about the same team wait: a step of its own at the head of a commit, so that what
 * the next step counts is what the others have left.
 */
export const holdTeam = query('team.hold', 'update teams set name = name where id = @team_id')

export const renameTeam = query('team.rename', 'update teams set name = @name where id = @id')

export const setPlan = query('team.setPlan', 'update teams set plan = @plan where id = @id')

const room = (of: string) => `select id from teams where id = @team_id and (${of}) < cast(@limit as bigint)`

/** The team, if it may have one more. */
export const roomForProbe = query(
  'team.roomForProbe',
  room('select count(*) from probes p where p.team_id = @team_id and p.deleted_at is null'),
)
export const roomForStatusPage = query(
  'team.roomForStatusPage',
  room('select count(*) from status_pages p where p.team_id = @team_id'),
)
export const roomForChannel = query(
  'team.roomForChannel',
  room('select count(*) from channels c where c.team_id = @team_id'),
)
