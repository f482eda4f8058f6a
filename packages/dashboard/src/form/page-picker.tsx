import { api } from '../core/api.ts'
import { useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'

/** Chooses status pages; there are few. */
export function PagePicker(props: { label: string; value: number[]; onChange: (ids: number[]) => void }) {
  const { label, value, onChange } = props
  const data = useQuery('status-pages/list', () => everyPage(api.listStatusPages, { sort: 'title' })).data?.data
  if (data === undefined || data.length === 0) return null
  return (
    <fieldset className="field choices">
      <legend>{label}</legend>
      <div className="choices-list">
        {data.map(page => (
          <label key={page.id} className="check">
            <input
              type="checkbox"
              checked={value.includes(page.id)}
              onChange={event =>
                onChange(event.target.checked ? [...value, page.id] : value.filter(each => each !== page.id))
              }
            />
            {page.title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
