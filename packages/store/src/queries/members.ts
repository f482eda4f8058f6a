import { query } from './query.ts'

export interface MemberRow {
  team_id: number
  /** Of the user. */
  id: number
  email: string
  role: string
  created_at: number
}

export const memberColumns = {
  team_id: 'm.team_id',
  id: 'm.user_id',
  email: 'u.email',
  role: 'm.role',
  created_at: 'm.created_at',
}
export const memberFrom = 'members m join users u on u.id = m.user_id'

export const memberById = query<MemberRow>(
  'member.byId',
  `select m.team_id, m.user_id as id, u.email, m.role, m.created_at from ${memberFrom}
   where m.team_id = @team_id and m.user_id = @id`,
)

export const emailsOfMembers = query<Pick<MemberRow, 'email'>>(
  'member.emails',
  `select u.email from ${memberFrom} where m.team_id = @team_id`,
)

export const insertMember = query(
  'member.insert',
  'insert into members (team_id, user_id, role, created_at) values (@team_id, @user_id, @role, @created_at)',
)

/** Whoever is in the team already keeps the role they have. */
export const joinTeam = query(
  'member.join',
  `insert into members (team_id, user_id, role, created_at) values (@team_id, @user_id, @role, @created_at)
   on conflict (team_id, user_id) do nothing`,
)

export interface MembershipRow {
  id: number
  name: string
  plan: string
  role: string
}

/** Teams of a user, the oldest membership first. */
export const teamsOfUser = query<MembershipRow>(
  'member.teams',
  `select t.id, t.name, t.plan, m.role from members m join teams t on t.id = m.team_id
   where m.user_id = @user_id order by m.created_at, t.id`,
)

const anotherOwner = `exists (select 1 from members o
  where o.team_id = @team_id and o.role = 'owner' and o.user_id <> @user_id)`

/** Unless the role is another by now, or nobody would own the team afterwards. */
export const changeMember = query(
  'member.change',
  `update members set role = @role
   where team_id = @team_id and user_id = @user_id and role = @old_role
     and (role <> 'owner' or @role = 'owner' or ${anotherOwner})`,
)

export const removeMember = query(
  'member.remove',
  `delete from members
   where team_id = @team_id and user_id = @user_id and role = @old_role and (role <> 'owner' or ${anotherOwner})`,
)

export const countOtherOwners = query<{ count: number }>(
  'member.countOtherOwners',
  "select count(*) as count from members where team_id = @team_id and role = 'owner' and user_id <> @user_id",
)
