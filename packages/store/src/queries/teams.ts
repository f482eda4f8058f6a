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

export const insertMember = query(
  'member.insert',
  'insert into members (team_id, user_id, role, created_at) values (@team_id, @user_id, @role, @created_at)',
)

export const userByEmail = query<{ id: number }>('user.byEmail', 'select id from users where email = @email')
