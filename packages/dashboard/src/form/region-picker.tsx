import { useId, useState } from 'react'
import { api } from '../core/api.ts'
import { useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'
import { Button } from '../ui/button.tsx'

/** Where from: the regions that probes are in, and those that were named before there was one. */
export function RegionPicker(props: {
  value: string[]
  error?: string | undefined
  onChange: (regions: string[] | undefined) => void
}) {
  const { value, error, onChange } = props
  const [text, setText] = useState('')
  const faultId = useId()
  const known = useQuery('probes/list', () => everyPage(api.listProbes, { sort: 'name' }))
  const regions = [...new Set([...(known.data?.data.map(probe => probe.region) ?? []), ...value])].sort()
  const choose = (next: string[]) => onChange(next.length === 0 ? undefined : next)
  const add = () => {
    const name = text.trim()
    if (name !== '' && !value.includes(name)) choose([...value, name])
    setText('')
  }
  return (
    <fieldset className="field choices wide-field">
      <legend>Regions</legend>
      <div className="choices-list">
        {regions.map(region => (
          <label key={region} className="check">
            <input
              type="checkbox"
              checked={value.includes(region)}
              onChange={event =>
                choose(event.target.checked ? [...value, region] : value.filter(each => each !== region))
              }
            />
            {region}
          </label>
        ))}
        <span className="actions">
          <input
            className="region-name"
            aria-label="Another region"
            {...(error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': faultId })}
            placeholder="another region"
            value={text}
            onChange={event => setText(event.target.value)}
            onKeyDown={event => {
              if (event.key !== 'Enter' || text.trim() === '') return
              event.preventDefault()
              add()
            }}
            onBlur={add}
          />
          <Button small onClick={add}>
            Add
          </Button>
        </span>
      </div>
      {error !== undefined && (
        <p className="field-error" id={faultId}>
          {error}
        </p>
      )}
      <p className="hint">
        Where it is watched from, each region once an interval. None chosen: any probe, wherever it is.
      </p>
    </fieldset>
  )
}
