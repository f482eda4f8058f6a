import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { count, percent } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { Card } from '../../ui/page.tsx'
import { Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/time.tsx'

/** Which services sent something in the last day, and the way to what they sent. */
export function Services({ id }: { id: string }) {
  const known = useQuery(`app/${id}/services/overview`, async () => {
    const from = new Date(Date.now() - 86_400_000).toISOString()
    return (await api.listServices({ params: { id }, query: { from } })).data
  })
  return (
    <Card title="Services of the last 24 hours" flush>
      <Loaded of={known} lines={3}>
        {services =>
          services.length === 0 ? (
            <p className="notice">
              Nothing has come yet. Set the variables below in your app, start it, and it shows up here.
            </p>
          ) : (
            <Table
              label="Services"
              rows={services.map(service => ({ id: service.name, ...service }))}
              columns={[
                {
                  name: 'Service',
                  cell: ({ name }) => (
                    <Link className="main" to={`/apps/${id}/traces?range=24h&service=${encodeURIComponent(name)}`}>
                      {name}
                    </Link>
                  ),
                },
                { name: 'Spans', end: true, cell: ({ span_count }) => count(span_count) },
                {
                  name: 'Errors',
                  end: true,
                  cell: ({ name, span_count, error_count }) =>
                    error_count === 0 ? (
                      '–'
                    ) : (
                      <Link
                        className="text bad-text"
                        to={`/apps/${id}/traces?range=24h&status=error&service=${encodeURIComponent(name)}`}
                      >
                        {percent((error_count / span_count) * 100)}
                      </Link>
                    ),
                },
                {
                  name: 'Logs',
                  end: true,
                  minor: true,
                  cell: ({ name, log_count }) =>
                    log_count === 0 ? (
                      '–'
                    ) : (
                      <Link className="text" to={`/apps/${id}/logs?range=24h&service=${encodeURIComponent(name)}`}>
                        {count(log_count)}
                      </Link>
                    ),
                },
                { name: 'Last heard', end: true, cell: ({ last_seen_at }) => <Ago at={last_seen_at} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}
