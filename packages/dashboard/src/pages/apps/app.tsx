import { type App, type AppKey, AppWrite, type QuotaName, quotaNames } from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep, useQuery } from '../../core/cache.ts'
import { bytes, count, label } from '../../core/format.ts'
import { navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Form } from '../../form/form.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { forecast } from './forecast.ts'
import { otelEnvironment, rumExample } from './snippets.ts'

export function AppPage({ id }: { id: string }) {
  const may = useMay()
  const [asking, setAsking] = useState<'delete' | AppKey>()
  const known = useQuery(`app/${id}/`, async () => (await api.getApp({ params: { id } })).data)
  return (
    <Page
      title={known.data?.name ?? 'App'}
      back={{ to: '/apps', label: 'Apps' }}
      actions={
        known.data &&
        may('deleteApp') && (
          <Button kind="danger" icon="trash" onClick={() => setAsking('delete')}>
            Delete
          </Button>
        )
      }
    >
      <Loaded of={known}>
        {app => (
          <>
            <UsageCard id={id} />
            <Keys app={app} onRotate={setAsking} />
            {may('updateApp') && <Settings app={app} />}
          </>
        )}
      </Loaded>
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${known.data?.name}?`}
          action="Delete for good"
          onConfirm={async () => {
            await api.deleteApp({ params: { id } })
            invalidate('apps/')
            navigate('/apps')
          }}
          onClose={() => setAsking(undefined)}
        >
          Its keys are refused from this moment on; its usage and top-up balance go with it.
        </Confirm>
      )}
      {asking !== undefined && asking !== 'delete' && (
        <Confirm
          title={asking === 'app_token' ? 'Make a new app token?' : 'Make a new RUM key?'}
          action="Make a new one"
          onConfirm={async () => {
            keep(`app/${id}/`, (await api.rotateAppKey({ params: { id }, body: { key: asking } })).data)
          }}
          onClose={() => setAsking(undefined)}
        >
          The old one is refused from this moment on.
        </Confirm>
      )}
    </Page>
  )
}

function Keys({ app, onRotate }: { app: App; onRotate: (key: AppKey) => void }) {
  const may = useMay()
  const rotate = (key: AppKey) =>
    may('rotateAppKey') && (
      <Button small onClick={() => onRotate(key)}>
        New {key === 'app_token' ? 'token' : 'key'}
      </Button>
    )
  const service = app.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return (
    <>
      <Card title="OpenTelemetry" actions={rotate('app_token')}>
        {app.app_token === null ? (
          <p className="quiet">The app token is a secret; members and above see it.</p>
        ) : (
          <div className="stack">
            <p className="quiet">Any SDK or collector sends traces, logs and metrics here with:</p>
            <Copy text={otelEnvironment(location.origin, app.app_token, service)} label="Copy the environment" />
          </div>
        )}
      </Card>
      <Card title="Real users (RUM)" actions={rotate('api_key')}>
        <div className="stack">
          <p className="quiet">The key may be in pages: every visitor can read it, only allowed origins can use it.</p>
          <Copy text={app.api_key} label="Copy the RUM key" />
          <Copy text={rumExample(location.origin, app.api_key)} label="Copy the example" />
        </div>
      </Card>
    </>
  )
}

const shownAmount = (name: QuotaName, value: number) => (name.endsWith('bytes') ? bytes(value) : count(value))

function UsageCard({ id }: { id: string }) {
  const known = useQuery(`app/${id}/usage`, () => api.getUsage({ params: { id } }))
  return (
    <Card title="Used this month">
      <Loaded of={known}>
        {({ period, quotas, top_up_balance }) => (
          <div className="stack">
            {quotaNames.map(name => {
              const { limit, used } = quotas[name]
              const expected = forecast(quotas[name], period, Date.now())
              const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
              return (
                <div key={name}>
                  <div className="history-ends">
                    <span>{label(name)}</span>
                    <span className="number">
                      {shownAmount(name, used)} {limit === null ? '· no limit' : `of ${shownAmount(name, limit)}`} · at
                      this rate {shownAmount(name, expected)}
                    </span>
                  </div>
                  {limit !== null && (
                    <div className="meter">
                      <svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                        <rect
                          width={share * 100}
                          height="8"
                          className={share >= 1 ? 'full' : expected > limit ? 'high' : ''}
                        />
                      </svg>
                    </div>
                  )}
                </div>
              )
            })}
            <p className="hint">
              {period}, UTC. Top-up left:{' '}
              {Object.entries(top_up_balance)
                .map(([name, amount]) => `${label(name)} ${name.endsWith('bytes') ? bytes(amount) : count(amount)}`)
                .join(', ')}
              .
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

function Settings({ app }: { app: App }) {
  const form = useForm<AppWrite>({ name: app.name, allowed_origins: app.allowed_origins }, async body => {
    keep(`app/${app.id}/`, (await api.updateApp({ params: { id: app.id }, body })).data)
    invalidate('apps/')
    toast('Saved')
  })
  return (
    <Card title="Settings">
      <Form form={form} action="Save">
        <SchemaFields
          schema={asSchema(AppWrite)}
          values={form.values as Record<string, unknown>}
          errors={form.errors}
          onChange={(name, value) => form.set(name as keyof AppWrite, value as never)}
        />
      </Form>
    </Card>
  )
}
