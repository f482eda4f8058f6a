import { useEffect, useState } from 'react'
import { api } from '../core/api.ts'
import { useQuery } from '../core/cache.ts'
import { moment } from '../core/format.ts'
import { navigate } from '../core/router.tsx'
import { useDoor } from '../core/session.tsx'
import { TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { passwordHint } from '../form/password.ts'
import { useForm } from '../form/use-form.ts'
import { Mark } from '../shell/layout.tsx'
import { Loaded } from '../ui/state.tsx'

/** Where an invitation leads: its token is behind #, where no proxy logs it. */
export function Invitation() {
  const [token] = useState(() => location.hash.slice(1))
  useEffect(() => {
    document.title = 'Invitation · Watchpost'
  }, [])
  const known = useQuery(token === '' ? undefined : `invitation/${token}`, async () => {
    return (await api.getInvitation({ params: { token } })).data
  })
  return (
    <main className="door">
      <div className="door-card">
        <div className="door-brand">
          <Mark /> Watchpost
        </div>
        {token === '' ? (
          <h1>This invitation is incomplete: its link ends with # and a long word.</h1>
        ) : (
          <Loaded of={known}>
            {open => (
              <>
                <h1>Join {open.team}</h1>
                <p>
                  {open.email} is invited as <strong>{open.role}</strong>. Good until {moment(open.expires_at)}.
                </p>
                <Accept token={token} email={open.email} hasAccount={open.has_account} />
              </>
            )}
          </Loaded>
        )}
      </div>
    </main>
  )
}

function Accept({ token, email, hasAccount }: { token: string; email: string; hasAccount: boolean }) {
  const { session, enter } = useDoor()
  const isMe = session?.user.email === email
  const form = useForm({ password: '' }, async ({ password }) => {
    const answer = await api.acceptInvitation({ params: { token }, body: isMe ? {} : { password } })
    enter(answer.data)
    history.replaceState(null, '', '/app')
    navigate('/monitors', { replace: true })
  })
  return (
    <Form form={form} action={hasAccount ? 'Join' : 'Make account and join'}>
      {!isMe && (
        <TextField
          label={hasAccount ? 'Password of your account' : 'Choose a password'}
          type="password"
          autoComplete={hasAccount ? 'current-password' : 'new-password'}
          autoFocus
          {...(hasAccount ? {} : { hint: passwordHint })}
          {...form.field('password')}
        />
      )}
    </Form>
  )
}
