import type { SliceMeta } from '@watchpost/contract'
import { useEffect, useState } from 'react'
import { useQuery } from '../../core/cache.ts'
import { Button } from '../../ui/button.tsx'
import { attempt } from '../../ui/toast.tsx'

interface Slice<T> {
  data: T[]
  meta: SliceMeta
}

/** A list that is read from its new end, and further back as somebody asks for it. */
export function useSlices<T>(key: string, ask: (cursor: string | undefined) => Promise<Slice<T>>) {
  const first = useQuery(key, () => ask(undefined))
  const [older, setOlder] = useState<{ key: string; slices: Slice<T>[] }>({ key, slices: [] })
  const [busy, setBusy] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what follows belongs to the first that it followed
  useEffect(() => setOlder({ key, slices: [] }), [key, first.at])
  const slices = older.key === key ? older.slices : []
  const { meta } = slices.at(-1) ?? first.data ?? { meta: undefined }
  const more = async () => {
    const cursor = meta?.next_cursor
    if (cursor == null) return
    setBusy(true)
    await attempt(async () => {
      const next = await ask(cursor)
      setOlder({ key, slices: [...slices, next] })
    })
    setBusy(false)
  }
  const data = first.data && { rows: [...first.data.data, ...slices.flatMap(each => each.data)], meta }
  return { known: { ...first, data }, more, busy }
}

/** The way further back, and whether the search had to stop early. */
export function Further({ meta, busy, onMore }: { meta: SliceMeta | undefined; busy: boolean; onMore: () => void }) {
  if (meta === undefined || (meta.next_cursor === null && meta.complete)) return null
  return (
    <div className="pager">
      <span>{meta.complete ? '' : 'The search stopped early: there may be more.'}</span>
      {meta.next_cursor !== null && (
        <Button small busy={busy} onClick={onMore}>
          {meta.complete ? 'Show older' : 'Go on searching'}
        </Button>
      )}
    </div>
  )
}
