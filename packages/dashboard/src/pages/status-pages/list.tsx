import { api } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { everyPage } from '../../core/every-page.ts'
import { plural } from '../../core/format.ts'
import { Link } from '../../core/router.tsx'
import { useMay } from '../../core/session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'
import { Table } from '../../ui/table.tsx'

export function StatusPageList() {
  const may = useMay()
  const known = useQuery('status-pages/list', () => everyPage(api.listStatusPages, { sort: 'title' }))
  const create = may('createStatusPage') && (
    <ButtonLink to="/status-pages/new" kind="primary" icon="plus">
      New status page
    </ButtonLink>
  )
  return (
    <Page title="Status pages" actions={create}>
      <Card flush>
        <Loaded of={known}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="pages" title="Show others how things are" action={create}>
                A page for your customers or your colleagues, with ninety days of history and what is being done about
                it.
              </Empty>
            ) : (
              <Table
                label="Status pages"
                rows={data}
                columns={[
                  {
                    name: 'Page',
                    cell: page => (
                      <>
                        <Link to={`/status-pages/${page.id}`} className="main">
                          {page.title}
                        </Link>
                        <span className="sub">/status/{page.slug}</span>
                      </>
                    ),
                  },
                  {
                    name: 'Seen by',
                    cell: page => (
                      <Badge tone={page.is_public ? 'good' : 'quiet'}>{page.is_public ? 'all' : 'nobody'}</Badge>
                    ),
                  },
                  { name: 'Monitors', minor: true, cell: page => plural(page.monitor_count, 'monitor') },
                  { name: 'Language', minor: true, cell: page => page.language },
                  {
                    name: 'Open',
                    hidden: true,
                    end: true,
                    cell: page =>
                      page.is_public && (
                        <a className="button small" href={`/status/${page.slug}`} target="_blank" rel="noreferrer">
                          <Icon name="external" />
                          Open<span className="visually-hidden"> {page.title}</span>
                        </a>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
