import { AppWrite } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, useQuery } from '../../core/cache.ts'
import { everyPage } from '../../core/every-page.ts'
import { Link, navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Form } from '../../form/form.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

export function AppList() {
  const may = useMay()
  const [making, setMaking] = useState(false)
  const known = useQuery('apps/list', () => everyPage(api.listApps, { sort: 'name' }))
  const create = may('createApp') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      New app
    </Button>
  )
  return (
    <Page title="Apps" actions={create}>
      <Card flush>
        <Loaded of={known}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="apps" title="No apps yet" action={create}>
                An app sends its traces, logs and metrics with OpenTelemetry, and its pages what visitors meet.
              </Empty>
            ) : (
              <Table
                label="Apps"
                rows={data}
                columns={[
                  {
                    name: 'App',
                    cell: app => (
                      <Link to={`/apps/${app.id}`} className="main">
                        {app.name}
                      </Link>
                    ),
                  },
                  {
                    name: 'Origins',
                    minor: true,
                    cell: app => (app.allowed_origins.length === 0 ? 'any' : app.allowed_origins.join(', ')),
                  },
                  { name: 'Made', end: true, cell: app => <Ago at={app.created_at} /> },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {making && (
        <Dialog title="New app" onClose={() => setMaking(false)}>
          <NewApp onClose={() => setMaking(false)} />
        </Dialog>
      )}
    </Page>
  )
}

function NewApp({ onClose }: { onClose: () => void }) {
  const form = useForm<AppWrite>({ name: '' }, async body => {
    const { data } = await api.createApp({ body })
    invalidate('apps/')
    navigate(`/apps/${data.id}`)
  })
  return (
    <Form form={form} action="Create" onCancel={onClose}>
      <SchemaFields
        schema={asSchema(AppWrite)}
        values={form.values as Record<string, unknown>}
        errors={form.errors}
        onChange={(name, value) => form.set(name as keyof AppWrite, value as never)}
      />
    </Form>
  )
}
