import { api } from '../core/api.ts'
import { moment } from '../core/format.ts'
import { useSession } from '../core/session.tsx'
import { TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { passwordHint } from '../form/password.ts'
import { useForm } from '../form/use-form.ts'
import { Card, Page } from '../ui/page.tsx'
import { toast } from '../ui/toast.tsx'

const none = { current_password: '', new_password: '' }

export function Account() {
  const session = useSession()
  const form = useForm(none, async body => {
    await api.changePassword({ body })
    form.reset(none)
    toast('Changed; other log-ins of yours have ended')
  })
  return (
    <Page title="Your account">
      <Card>
        <dl className="settings">
          <div>
            <dt>E-mail</dt>
            <dd>{session.user.email}</dd>
          </div>
          <div>
            <dt>Team</dt>
            <dd>
              {session.team.name}, as {session.role}
            </dd>
          </div>
          <div>
            <dt>Plan</dt>
            <dd>{session.team.plan}</dd>
          </div>
          <div>
            <dt>Logged in until</dt>
            <dd>{moment(session.expires_at)}</dd>
          </div>
        </dl>
      </Card>
      <Card title="Change your password">
        <Form form={form} action="Change it">
          <TextField
            label="Password now"
            type="password"
            autoComplete="current-password"
            {...form.field('current_password')}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            hint={passwordHint}
            {...form.field('new_password')}
          />
        </Form>
      </Card>
    </Page>
  )
}
