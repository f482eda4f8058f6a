import type { ListMeta } from '@watchpost/contract'
import { count } from '../core/format.ts'
import { Button } from './button.tsx'

/** Which part of a long list is shown, and the way to the others. */
export function Pager({ meta, onPage }: { meta: ListMeta; onPage: (page: number) => void }) {
  const { page, per_page, total, total_pages } = meta
  if (total_pages <= 1) return <span className="quiet">{count(total)} in all</span>
  const from = (page - 1) * per_page + 1
  return (
    <span className="actions">
      <span className="number">
        {count(from)}–{count(Math.min(total, page * per_page))} of {count(total)}
      </span>
      <Button small disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <Button small disabled={page >= total_pages} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </span>
  )
}
