import type { Session } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { api } from '../core/api.ts'
import { useDoor } from '../core/session.tsx'
import { TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { passwordHint } from '../form/password.ts'
import { useForm } from '../form/use-form.ts'
import { Mark } from '../shell/layout.tsx'
import { useDoorstep } from '../ui/arrive.ts'
import { Copy } from '../ui/copy.tsx'

const { registration, setUp } = document.documentElement.dataset

/** The door: log in, register where strangers may, and what to do where there is nobody yet. */
export function LogIn() {
  const [registering, setRegistering] = useState(false)
  useDoorstep()
  useEffect(() => {
    document.title = `${registering ? 'Register' : 'Log in'} · Watchpost`
  }, [registering])
  return (
    <main className="door">
      <div className="door-card">
        <div className="door-brand">
          <Mark /> Watchpost
        </div>
        {setUp === 'none' ? <NobodyYet /> : registering ? <Register /> : <Enter />}
      </div>
      {setUp !== 'none' && registration === 'open' && (
        <p className="door-other">
          {registering ? 'You have an account? ' : 'New here? '}
          <button type="button" className="link" onClick={() => setRegistering(!registering)}>
            {registering ? 'Log in' : 'Make an account'}
          </button>
        </p>
      )}
      {setUp !== 'none' && !registering && (
        <p className="door-hint">
          The first start printed the owner’s e-mail and password. Lost it?{' '}
          <code>bin/watchpost-server password reset --email …</code>
        </p>
      )}
    </main>
  )
}

function Enter() {
  const { enter } = useDoor()
  const form = useForm({ email: '', password: '' }, async body => enter((await api.logIn({ body })).data))
  return (
    <>
      <h1>Log in</h1>
      <Form form={form} action="Log in">
        <TextField label="E-mail" type="text" autoComplete="username" autoFocus {...form.field('email')} />
        <TextField label="Password" type="password" autoComplete="current-password" {...form.field('password')} />
      </Form>
    </>
  )
}

function Register() {
  const { enter } = useDoor()
  const form = useForm({ email: '', password: '', team: '' }, async body => {
    const { data }: { data: Session } = await api.register({ body })
    enter(data)
  })
  return (
    <>
      <h1>Make an account</h1>
      <Form form={form} action="Make account and team">
        <TextField label="E-mail" type="email" autoComplete="username" autoFocus {...form.field('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={passwordHint}
          {...form.field('password')}
        />
        <TextField
          label="Team"
          hint="What your team is called; you own it."
          placeholder="Acme"
          {...form.field('team')}
        />
      </Form>
    </>
  )
}

function NobodyYet() {
  return (
    <div className="stack">
      <h1>Nobody is here yet</h1>
      <p>Whoever runs this server makes the first team and its owner, on the server itself:</p>
      <Copy text="bin/watchpost-server bootstrap --email you@example.com" />
      <p className="quiet">It prints a password, once. Then reload this page and log in.</p>
    </div>
  )
}
