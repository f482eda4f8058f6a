import type { Probe, ProvisionedProbe } from '@watchpost/contract'
import { ProbeWrite } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { api } from '../core/api.ts'
import { invalidate, useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'
import { milliseconds, plural } from '../core/format.ts'
import { useMonitors } from '../core/monitors.ts'
import { isWell } from '../core/probes.ts'
import { Link } from '../core/router.tsx'
import { useMay } from '../core/session.tsx'
import { stateOf } from '../core/watched.ts'
import { Form } from '../form/form.tsx'
import { asSchema } from '../form/schema.ts'
import { SchemaFields } from '../form/schema-form.tsx'
import { useForm } from '../form/use-form.ts'
import { Badge } from '../ui/badge.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Copy } from '../ui/copy.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Empty, Loaded } from '../ui/state.tsx'
import { Table } from '../ui/table.tsx'
import { Ago } from '../ui/time.tsx'

export function Probes() {
  const may = useMay()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<ProvisionedProbe>()
  const [asking, setAsking] = useState<Probe>()
  const known = useQuery('probes/list', () => everyPage(api.listProbes, { sort: 'name' }))
  const { reload } = known
  useEffect(() => {
    const timer = setInterval(reload, 10_000)
    return () => clearInterval(timer)
  }, [reload])
  const create = may('createProbe') && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      Provision a probe
    </Button>
  )
  return (
    <Page title="Probes" actions={create}>
      <Unwatched />
      {known.data !== undefined && <Regions probes={known.data.data} />}
      <Card flush>
        <Loaded of={known}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="probes" title="No probes yet" action={create}>
                Probes run the checks, and there is none. Provision one on any host that sees what is to be watched, or
                start the server with --with-probe.
              </Empty>
            ) : (
              <Table
                label="Probes"
                rows={data}
                columns={[
                  {
                    name: 'Probe',
                    cell: probe => (
                      <>
                        {probe.monitor_id === null ? (
                          <span className="main">{probe.name}</span>
                        ) : (
                          <Link className="main" to={`/monitors/${probe.monitor_id}`}>
                            {probe.name}
                          </Link>
                        )}
                        <span className="sub">
                          {probe.region}
                          {probe.shared && ' · beside the server, for every team'}
                          {probe.version !== null && ` · ${probe.version}`}
                        </span>
                      </>
                    ),
                  },
                  { name: 'Health', cell: probe => <Health probe={probe} /> },
                  { name: 'Doing', minor: true, cell: probe => <Doing probe={probe} /> },
                  {
                    name: 'Lag',
                    minor: true,
                    end: true,
                    cell: probe => <span className="number">{milliseconds(probe.work?.lag_ms)}</span>,
                  },
                  { name: 'Last heard', end: true, cell: probe => <Ago at={probe.last_seen_at} /> },
                  {
                    name: 'Actions',
                    hidden: true,
                    end: true,
                    cell: probe =>
                      may('deleteProbe') &&
                      !probe.shared && (
                        <IconButton icon="trash" label={`Remove ${probe.name}`} onClick={() => setAsking(probe)} />
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {making && (
        <Provision
          onClose={() => setMaking(false)}
          onMade={probe => {
            setMaking(false)
            setMade(probe)
            invalidate('probes/')
          }}
        />
      )}
      {made !== undefined && <Commands probe={made} onClose={() => setMade(undefined)} />}
      {asking !== undefined && (
        <Confirm
          title={`Remove ${asking.name}?`}
          action="Remove"
          onConfirm={async () => {
            await api.deleteProbe({ params: { id: asking.id } })
            invalidate('probes/')
          }}
          onClose={() => setAsking(undefined)}
        >
          Its token is refused from this moment on, and its share of checks goes to the other probes.
        </Confirm>
      )}
    </Page>
  )
}

/** What it holds, and what waits: for its turn, or to be sent. */
function Doing({ probe: { work, host } }: { probe: Probe }) {
  if (work === null) return <span className="quiet">–</span>
  const { monitors, running, queued, spooled } = work
  const load = [
    queued ? `${queued} wait` : '',
    spooled ? `${spooled} to be sent` : '',
    host?.cpu_percent == null ? '' : `CPU ${Math.round(host.cpu_percent)} %`,
    host?.memory_percent == null ? '' : `memory ${Math.round(host.memory_percent)} %`,
  ].filter(Boolean)
  return (
    <>
      {plural(monitors ?? 0, 'monitor')}, {running ?? 0} under way
      <span className="sub">{load.join(', ')}</span>
    </>
  )
}

/** What comes of probes that are silent. */
function Unwatched() {
  const { list } = useMonitors()
  const some = list.filter(monitor => stateOf(monitor) === 'unwatched').length
  if (some === 0) return null
  return (
    <p className="notice warn" role="status">
      <strong>{plural(some, 'monitor')}</strong> {some === 1 ? 'is' : 'are'} watched by nobody now.{' '}
      <Link className="text" to="/monitors?status=unwatched">
        Show {some === 1 ? 'it' : 'them'}
      </Link>
    </p>
  )
}

/** Where there are probes, and how many of them are well. */
function Regions({ probes }: { probes: Probe[] }) {
  const regions = Map.groupBy(probes, probe => probe.region)
  if (regions.size < 2) return null
  return (
    <ul className="summary" aria-label="Regions">
      {[...regions].map(([region, all]) => {
        const well = all.filter(each => isWell(each)).length
        const tone = well === 0 ? 'offline' : well < all.length ? 'error' : 'online'
        return (
          <li key={region}>
            <span className={`dot ${tone}`} aria-hidden="true" />
            {region} <b>{`${well} of ${all.length}`}</b>
          </li>
        )
      })}
    </ul>
  )
}

function Health({ probe }: { probe: Probe }) {
  if (probe.last_seen_at === null) return <Badge>not started</Badge>
  const late = !isWell(probe)
  return <Badge tone={late ? 'bad' : 'good'}>{late ? 'silent' : 'working'}</Badge>
}

function Provision({ onClose, onMade }: { onClose: () => void; onMade: (probe: ProvisionedProbe) => void }) {
  const form = useForm<{ name: string; region?: string }>({ name: '' }, async ({ name, region }) => {
    const body = { name, ...(region === undefined ? {} : { region }) }
    onMade((await api.createProbe({ body })).data)
  })
  return (
    <Dialog title="Provision a probe" onClose={onClose}>
      <Form form={form} action="Provision" onCancel={onClose}>
        <SchemaFields
          schema={asSchema(ProbeWrite)}
          values={form.values}
          errors={form.errors}
          onChange={(name, value) => form.set(name as 'name', value as string)}
          hints={{ region: 'Where it is: results are told apart by it.' }}
        />
      </Form>
    </Dialog>
  )
}

function Commands({ probe, onClose }: { probe: ProvisionedProbe; onClose: () => void }) {
  return (
    <Dialog title={`Start ${probe.name}`} onClose={onClose} wide>
      <div className="stack">
        <p>On the host that shall look, with Watchpost unpacked. The token is shown this one time.</p>
        <Copy
          secret
          label="Copy the command"
          text={`WATCHPOST_PROBE_TOKEN=${probe.token} \\\n  bin/watchpost-probe run --server ${location.origin} --name '${probe.name.replaceAll("'", '')}'`}
        />
        <p className="quiet">What that host can and cannot check:</p>
        <Copy text={`bin/watchpost-probe doctor --server ${location.origin}`} label="Copy the command of the doctor" />
        <div className="actions end">
          <Button kind="primary" onClick={onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
