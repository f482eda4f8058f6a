import { type AddedMember, type Member, type Role, roles } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../core/api.ts'
import { invalidate, useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'
import { moment } from '../core/format.ts'
import { Link } from '../core/router.tsx'
import { useDoor, useMay, useSession } from '../core/session.tsx'
import { SelectField, TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useForm } from '../form/use-form.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Card, Page } from '../ui/page.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Loaded } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'
import { attempt, toast } from '../ui/toast.tsx'

export function TeamPage() {
  const may = useMay()
  const [adding, setAdding] = useState(false)
  const [added, setAdded] = useState<AddedMember>()
  return (
    <Page
      title="Team"
      actions={
        <>
          {may('listAuditLog') && (
            <Link className="button" to="/team/audit-log">
              Audit log
            </Link>
          )}
          {may('addMember') && (
            <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
              Invite somebody
            </Button>
          )}
        </>
      }
    >
      <Members />
      {may('listInvitations') && <Invitations />}
      {may('updateTeam') && <Rename />}
      {adding && (
        <Invite
          onClose={() => setAdding(false)}
          onAdded={member => {
            setAdding(false)
            setAdded(member)
            invalidate('team/')
          }}
        />
      )}
      {added?.invitation_url != null && (
        <ShownOnce title="The invitation" text={added.invitation_url} onClose={() => setAdded(undefined)}>
          Hand this link to {added.email}. It is good once, for seven days, and shown this one time.
        </ShownOnce>
      )}
    </Page>
  )
}

/** Roles that somebody in this role may give. */
const rolesUpTo = (role: Role): readonly Role[] => roles.slice(0, roles.indexOf(role) + 1)

function Members() {
  const may = useMay()
  const session = useSession()
  const { ask } = useDoor()
  const [asking, setAsking] = useState<Member>()
  const known = useQuery('team/members', () => everyPage(api.listMembers, { sort: 'email' }))
  const mayChange = (member: Member) => may('updateMember') && (session.role === 'owner' || member.role !== 'owner')
  const change = (member: Member, role: Role) =>
    attempt(async () => {
      await api.updateMember({ params: { id: member.id }, body: { role } })
      invalidate('team/')
      if (member.id === session.user.id) ask()
    }, `${member.email} is ${role} now`)
  return (
    <Card title="Members" flush>
      <Loaded of={known}>
        {({ data }) => (
          <Table
            label="Members"
            rows={data}
            columns={[
              {
                name: 'Member',
                cell: member => (
                  <>
                    <span className="main">{member.email}</span>
                    {member.id === session.user.id && <span className="quiet"> · you</span>}
                  </>
                ),
              },
              {
                name: 'Role',
                cell: member =>
                  mayChange(member) ? (
                    <select
                      aria-label={`Role of ${member.email}`}
                      value={member.role}
                      onChange={event => change(member, event.target.value as Role)}
                    >
                      {rolesUpTo(session.role).map(role => (
                        <option key={role}>{role}</option>
                      ))}
                    </select>
                  ) : (
                    <Badge>{member.role}</Badge>
                  ),
              },
              { name: 'Joined', minor: true, end: true, cell: member => <Ago at={member.created_at} /> },
              {
                name: 'Actions',
                hidden: true,
                end: true,
                cell: member =>
                  (mayChange(member) || member.id === session.user.id) && (
                    <IconButton
                      icon={member.id === session.user.id ? 'logout' : 'trash'}
                      label={member.id === session.user.id ? 'Leave the team' : `Remove ${member.email}`}
                      onClick={() => setAsking(member)}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {asking !== undefined && (
        <Confirm
          title={asking.id === session.user.id ? `Leave ${session.team.name}?` : `Remove ${asking.email}?`}
          action={asking.id === session.user.id ? 'Leave' : 'Remove'}
          onConfirm={async () => {
            await api.removeMember({ params: { id: asking.id } })
            invalidate('team/')
            if (asking.id === session.user.id) ask()
          }}
          onClose={() => setAsking(undefined)}
        >
          Their log-ins in this team end at once, and tokens they made are refused from then on.
        </Confirm>
      )}
    </Card>
  )
}

function Invitations() {
  const may = useMay()
  const known = useQuery('team/invitations', () => everyPage(api.listInvitations, {}))
  if (known.data?.data.length === 0) return null
  const revoke = (id: number) =>
    attempt(async () => {
      await api.revokeInvitation({ params: { id } })
      invalidate('team/')
    }, 'Revoked')
  return (
    <Card title="Invitations that wait" flush>
      <Loaded of={known} lines={2}>
        {({ data }) => (
          <Table
            label="Invitations"
            rows={data}
            columns={[
              { name: 'Invited', cell: invitation => <span className="main">{invitation.email}</span> },
              { name: 'Role', cell: invitation => <Badge>{invitation.role}</Badge> },
              { name: 'Good until', minor: true, cell: invitation => moment(invitation.expires_at) },
              {
                name: 'Actions',
                hidden: true,
                end: true,
                cell: invitation =>
                  may('revokeInvitation') && (
                    <Button small onClick={() => revoke(invitation.id)}>
                      Revoke<span className="visually-hidden"> the invitation of {invitation.email}</span>
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}

function Invite({ onClose, onAdded }: { onClose: () => void; onAdded: (member: AddedMember) => void }) {
  const session = useSession()
  const first: { email: string; role: Role } = { email: '', role: 'member' }
  const form = useForm(first, async body => onAdded((await api.addMember({ body })).data))
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <Form form={form} action="Invite" onCancel={onClose}>
        <TextField
          label="E-mail"
          type="email"
          autoFocus
          placeholder="ada@example.com"
          value={form.values.email}
          error={form.errors.email}
          onChange={email => form.set('email', email)}
        />
        <SelectField
          label="Role"
          value={form.values.role}
          options={rolesUpTo(session.role)}
          onChange={role => form.set('role', role)}
          hint="Viewers read; members change monitors, incidents and pages; admins the team, too."
          error={form.errors.role}
        />
      </Form>
    </Dialog>
  )
}

function Rename() {
  const session = useSession()
  const { ask } = useDoor()
  const form = useForm({ name: session.team.name }, async body => {
    await api.updateTeam({ body })
    toast('Renamed')
    ask()
  })
  return (
    <Card title="Name">
      <Form form={form} action="Rename">
        <TextField
          label="Name of the team"
          value={form.values.name}
          error={form.errors.name}
          onChange={name => form.set('name', name)}
        />
      </Form>
    </Card>
  )
}
