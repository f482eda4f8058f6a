import {
  type App,
  type AppKey,
  AppWrite,
  type QuotaName,
  quotaNames,
  type TopUpName,
  type Usage,
} from '@watchpost/contract'
import { useState } from 'react'
import { api } from '../../core/api.ts'
import { invalidate, keep, useQuery } from '../../core/cache.ts'
import { bytes, count } from '../../core/format.ts'
import { navigate } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Form } from '../../form/form.tsx'
import { asSchema } from '../../form/schema.ts'
import { SchemaFields } from '../../form/schema-form.tsx'
import { useForm } from '../../form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { forecast } from './forecast.ts'
import { AppFrame, useApp } from './frame.tsx'
import { Services } from './seen-services.tsx'
import { otelEnvironment, rumScript } from './snippets.ts'

export function AppPage({ id }: { id: string }) {
  const may = useMay()
  const [asking, setAsking] = useState<'delete' | AppKey>()
  const known = useApp(id)
  return (
    <AppFrame
      id={id}
      wide={false}
      actions={
        known.data &&
        may('deleteApp') && (
          <Button kind="danger" icon="trash" onClick={() => setAsking('delete')}>
            Delete
          </Button>
        )
      }
    >
      {app => (
        <>
          <Services id={id} />
          <UsageCard id={id} />
          <Keys app={app} onRotate={setAsking} />
          {may('updateApp') && <Settings app={app} />}
          <Questions id={id} app={app} asking={asking} onClose={() => setAsking(undefined)} />
        </>
      )}
    </AppFrame>
  )
}

/** What is asked before something is gone for good. */
function Questions(props: { id: string; app: App; asking: 'delete' | AppKey | undefined; onClose: () => void }) {
  const { id, app, asking, onClose } = props
  if (asking === undefined) return null
  if (asking === 'delete') {
    return (
      <Confirm
        title={`Delete ${app.name}?`}
        action="Delete for good"
        onConfirm={async () => {
          await api.deleteApp({ params: { id } })
          invalidate('apps/')
          navigate('/apps')
        }}
        onClose={onClose}
      >
        Its keys are refused from this moment on; its usage and top-up balance go with it.
      </Confirm>
    )
  }
  return (
    <Confirm
      title={asking === 'app_token' ? 'Make a new app token?' : 'Make a new RUM key?'}
      action="Make a new one"
      onConfirm={async () => {
        keep(`app/${id}/`, (await api.rotateAppKey({ params: { id }, body: { key: asking } })).data)
      }}
      onClose={onClose}
    >
      The old one is refused from this moment on.
    </Confirm>
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
          <p className="quiet">
            This line in your pages measures them for those who visit. The key may be read by everybody; only pages of
            the allowed origins can use it.
          </p>
          <Copy text={rumScript(location.origin, app.api_key)} label="Copy the script" />
        </div>
      </Card>
    </>
  )
}

const words: Record<QuotaName | TopUpName, string> = {
  rum_sessions: 'Visits (RUM)',
  rum_events: 'Events of visits (RUM)',
  replay_bytes: 'Recordings of visits',
  otlp_spans: 'Spans',
  logs_bytes: 'Logs',
  sessions: 'visits',
  events: 'events',
  spans: 'spans',
}

const shownAmount = (name: QuotaName, value: number) => (name.endsWith('bytes') ? bytes(value) : count(value))

function UsageCard({ id }: { id: string }) {
  const known = useQuery(`app/${id}/usage`, () => api.getUsage({ params: { id } }))
  return (
    <Card title="Used this month">
      <Loaded of={known}>
        {usage => (
          <div className="stack">
            {quotaNames.map(name => (
              <QuotaLine key={name} name={name} usage={usage} />
            ))}
            <p className="hint">
              {usage.period}, UTC.{' '}
              {bought(usage).length > 0 && `Bought beyond the plan and left: ${bought(usage).join(', ')}.`}
            </p>
          </div>
        )}
      </Loaded>
    </Card>
  )
}

/** What was bought beyond the plan, as far as some of it is left. */
const bought = ({ top_up_balance }: Usage): string[] =>
  (Object.entries(top_up_balance) as [TopUpName, number][])
    .filter(([, amount]) => amount > 0)
    .map(([name, amount]) => (name === 'logs_bytes' ? `${bytes(amount)} of logs` : `${count(amount)} ${words[name]}`))

/** How much of a quota is used, what the month comes to at this pace, and the day on which it would be used up. */
function QuotaLine({ name, usage }: { name: QuotaName; usage: Usage }) {
  const { limit, used } = usage.quotas[name]
  const expected = forecast(usage.quotas[name], usage.period, Date.now())
  const share = limit === null || limit === 0 ? 0 : Math.min(1, used / limit)
  const day = usage.forecast[name]
  return (
    <div className="quota">
      <div className="quota-line">
        <span className="main">{words[name]}</span>
        <span className="number">
          <strong>{shownAmount(name, used)}</strong>
          {limit !== null && ` of ${shownAmount(name, limit)}`}
        </span>
      </div>
      {limit !== null && (
        <div className="meter">
          <svg width="100%" height="8" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect width={share * 100} height="8" className={share >= 1 ? 'full' : day !== null ? 'high' : ''} />
          </svg>
        </div>
      )}
      <p className="hint">
        {used === 0 ? 'None yet' : `At this pace ${shownAmount(name, expected)} by the end of the month`}
        {limit === null ? '; there is no limit.' : day === null ? '.' : <strong>: used up on {day}.</strong>}
      </p>
    </div>
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
