import { query } from './query.ts'

export interface InvitationRow {
  team_id: number
  id: number
  email: string
  role: string
  invited_by: number | null
  created_at: number
  expires_at: number
}

export const invitationColumns = 'team_id, id, email, role, invited_by, created_at, expires_at'

/** An invitation, with what whoever sent it is by now: null where they have left. */
export type OpenInvitationRow = InvitationRow & { team_name: string; inviter_role: string | null }
export const invitationByHash = query<OpenInvitationRow>(
  'invitation.byHash',
  `select i.team_id, i.id, i.email, i.role, i.invited_by, i.created_at, i.expires_at, t.name as team_name,
     m.role as inviter_role
   from invitations i
   join teams t on t.id = i.team_id
   left join members m on m.team_id = i.team_id and m.user_id = i.invited_by
   where i.hash = @hash`,
)

export const invitationById = query<InvitationRow>(
  'invitation.byId',
  `select ${invitationColumns} from invitations where team_id = @team_id and id = @id`,
)

/** A second invitation takes the place of the first, whose link is void from then on. */
export const putInvitation = query(
  'invitation.put',
  `insert into invitations (team_id, id, email, role, hash, invited_by, created_at, expires_at)
   values (@team_id, @id, @email, @role, @hash, @invited_by, @created_at, @expires_at)
   on conflict (team_id, email) do update set id = excluded.id, role = excluded.role, hash = excluded.hash,
     invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at`,
)

export const deleteInvitation = query(
  'invitation.delete',
  'delete from invitations where team_id = @team_id and id = @id',
)

/** Accepted once: of two who come at the same moment, one finds nothing. */
export const takeInvitation = query('invitation.take', 'delete from invitations where hash = @hash')

export const sweepInvitations = query(
  'invitation.sweep',
  'delete from invitations where team_id = @team_id and expires_at <= @at',
)

export const deleteInvitationTo = query(
  'invitation.deleteTo',
  'delete from invitations where team_id = @team_id and email = @email',
)
