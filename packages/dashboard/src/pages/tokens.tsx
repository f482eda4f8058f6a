import { type CreatedToken, type Role, roles, type Scope, scopes, type Token, TokenWrite } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../core/api.ts'
import { invalidate, useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'
import { moment } from '../core/format.ts'
import { useMay, useSession } from '../core/session.tsx'
import { SelectField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { asSchema } from '../form/schema.ts'
import { SchemaFields } from '../form/schema-form.tsx'
import { useForm } from '../form/use-form.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Card, Page } from '../ui/page.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Empty, Loaded } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'

export function Tokens() {
  const may = useMay()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<CreatedToken>()
  const [asking, setAsking] = useState<Token>()
  const known = useQuery('tokens/list', () => everyPage(api.listTokens, { sort: 'name' }))
  const create = may('createToken') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      New token
    </Button>
  )
  return (
    <Page title="API tokens" actions={create}>
      <Card flush>
        <Loaded of={known}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="tokens" title="No tokens" action={create}>
                Programs, monitorctl among them, ask with a token.
              </Empty>
            ) : (
              <Table
                label="API tokens"
                rows={data}
                columns={[
                  {
                    name: 'Token',
                    cell: token => (
                      <>
                        <span className="main">{token.name}</span>
                        {token.scopes.length > 0 && <span className="sub">{token.scopes.join(', ')}</span>}
                      </>
                    ),
                  },
                  { name: 'Role', cell: token => <Badge>{token.role}</Badge> },
                  { name: 'Made', minor: true, cell: token => <Ago at={token.created_at} /> },
                  {
                    name: 'Expires',
                    minor: true,
                    cell: token => (token.expires_at === null ? 'never' : moment(token.expires_at)),
                  },
                  { name: 'Last used', end: true, cell: token => <Ago at={token.last_used_at} /> },
                  {
                    name: 'Actions',
                    hidden: true,
                    end: true,
                    cell: token =>
                      may('revokeToken') && (
                        <IconButton icon="trash" label={`Revoke ${token.name}`} onClick={() => setAsking(token)} />
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {making && (
        <NewToken
          onClose={() => setMaking(false)}
          onMade={token => {
            setMaking(false)
            setMade(token)
            invalidate('tokens/')
          }}
        />
      )}
      {made !== undefined && (
        <ShownOnce title={`Token ${made.name}`} text={made.token} onClose={() => setMade(undefined)}>
          It is shown this one time. Put it where the program that needs it finds it: <code>WATCHPOST_TOKEN</code>.
        </ShownOnce>
      )}
      {asking !== undefined && (
        <Confirm
          title={`Revoke ${asking.name}?`}
          action="Revoke"
          onConfirm={async () => {
            await api.revokeToken({ params: { id: asking.id } })
            invalidate('tokens/')
          }}
          onClose={() => setAsking(undefined)}
        >
          It is refused from this moment on.
        </Confirm>
      )}
    </Page>
  )
}

function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (token: CreatedToken) => void }) {
  const session = useSession()
  const first: { name: string; role: Role; scopes: Scope[]; expires_at?: string | null } = {
    name: '',
    role: 'member',
    scopes: [...scopes],
  }
  const form = useForm(first, async body => onMade((await api.createToken({ body })).data))
  const allowed = roles.slice(0, roles.indexOf(session.role) + 1)
  const { values, errors, set } = form
  return (
    <Dialog title="New token" onClose={onClose}>
      <Form form={form} action="Make it" onCancel={onClose}>
        <SchemaFields
          schema={asSchema(TokenWrite)}
          names={['name', 'role', 'scopes', 'expires_at']}
          values={values}
          errors={errors}
          onChange={(name, value) => set(name as 'name', value as string)}
          labels={{ expires_at: 'Expires' }}
          own={{
            role: (
              <SelectField
                label="Role"
                value={values.role}
                options={allowed}
                onChange={role => set('role', role)}
                hint="What it may do; never more than you by then."
              />
            ),
          }}
        />
      </Form>
    </Dialog>
  )
}
