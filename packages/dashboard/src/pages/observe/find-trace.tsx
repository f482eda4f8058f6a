import { useEffect } from 'react'
import { api, isNotFound } from '../../core/api.ts'
import { useQuery } from '../../core/cache.ts'
import { everyPage } from '../../core/every-page.ts'
import { navigate } from '../../core/router.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/state.tsx'

/** A trace of which only its id is known, as a check does: the app that sent spans of it is looked for. */
export function FindTrace({ traceId }: { traceId: string }) {
  const known = useQuery(`find-trace/${traceId}`, async () => {
    const { data: apps } = await everyPage(api.listApps, {})
    for (const { id } of apps) {
      try {
        await api.getTrace({ params: { id, trace_id: traceId } })
        return id
      } catch (error) {
        if (!isNotFound(error)) throw error
      }
    }
    return null
  })
  const { data: id } = known
  useEffect(() => {
    if (typeof id === 'number') navigate(`/apps/${id}/traces/${traceId}`, { replace: true })
  }, [id, traceId])
  return (
    <Page title="Trace" back={{ to: '/apps', label: 'Apps' }}>
      <Card>
        <Loaded of={known}>
          {found =>
            found === null && (
              <Empty icon="search" title="Nobody sent spans of it" action={<ButtonLink to="/apps">Apps</ButtonLink>}>
                Each check of a web page carries a traceparent header, and so do requests of pages that are watched with
                tracePropagation. Where the service behind it is an app here, and takes the header over, its trace is
                one click away.
              </Empty>
            )
          }
        </Loaded>
      </Card>
    </Page>
  )
}
