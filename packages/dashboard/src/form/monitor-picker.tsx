import { useId, useMemo, useState } from 'react'
import { useMonitors } from '../core/monitors.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'

const most = 8

/** Chooses monitors by their names, however many there are. */
export function MonitorPicker(props: {
  label: string
  value: number[]
  onChange: (ids: number[]) => void
  hint?: string
  error?: string | undefined
  /** Whether those that are chosen are shown elsewhere. */
  hidden?: boolean
}) {
  const { label, value, onChange, hint, error, hidden = false } = props
  const { list } = useMonitors()
  const [text, setText] = useState('')
  const id = useId()
  const names = useMemo(() => new Map(list.map(monitor => [monitor.id, monitor.name])), [list])
  const wanted = text.trim().toLowerCase()
  const found = list.filter(
    each => !value.includes(each.id) && `${each.name} ${each.target}`.toLowerCase().includes(wanted),
  )
  return (
    <fieldset className="field picker">
      <legend>{label}</legend>
      {!hidden && value.length > 0 && (
        <ul className="chips">
          {value.map(each => (
            <li key={each}>
              <button
                type="button"
                className="chip"
                onClick={() => onChange(value.filter(other => other !== each))}
                aria-label={`Remove ${names.get(each) ?? `monitor ${each}`}`}
              >
                {names.get(each) ?? `Monitor ${each}`}
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        type="search"
        id={id}
        aria-label={`Search monitors for ${label}`}
        placeholder="Search monitors…"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className="picker-list">
        {found.slice(0, most).map(each => (
          <Button key={each.id} small kind="ghost" icon="plus" onClick={() => onChange([...value, each.id])}>
            {each.name}
          </Button>
        ))}
        {found.length > most && <span className="hint">and {found.length - most} more; search for them</span>}
        {list.length === 0 && <span className="hint">There are no monitors yet.</span>}
      </div>
      {error !== undefined && <p className="field-error">{error}</p>}
      {hint !== undefined && <p className="hint">{hint}</p>}
    </fieldset>
  )
}
