import type { Assignment, AssignmentPatch, Monitor, StatusPage } from '@watchpost/contract'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { api } from '../../core/api.ts'
import { useMonitors } from '../../core/monitors.ts'
import { MonitorPicker } from '../../form/monitor-picker.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MonitorDot } from '../../ui/monitor-state.tsx'
import { Card } from '../../ui/page.tsx'
import { attempt } from '../../ui/toast.tsx'
import { moved } from './reorder.ts'

/** What is on the page, in its order: dragged with the pointer, or moved with the arrow keys. */
export function Assigned(props: { page: StatusPage; editable: boolean; onChange: () => void }) {
  const { page, editable, onChange } = props
  const { id } = page
  const all = useMonitors()
  const [list, setList] = useState(page.monitors)
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  const [said, setSaid] = useState('')
  const ref = useRef<HTMLUListElement>(null)
  useEffect(() => setList(page.monitors), [page.monitors])

  const save = async (next: Assignment[]) => {
    setList(next)
    await attempt(async () => {
      for (const [order_index, { monitor_id, order_index: before }] of next.entries()) {
        if (before !== order_index) await api.updateAssignment({ params: { id, monitor_id }, body: { order_index } })
      }
    })
    onChange()
  }
  const move = (from: number, to: number) => {
    const item = list[from]
    if (item === undefined || to < 0 || to >= list.length) return
    setSaid(`${item.name} is at place ${to + 1} of ${list.length}`)
    save(moved(list, from, to))
    requestAnimationFrame(() => ref.current?.querySelectorAll<HTMLElement>('.grip')[to]?.focus())
  }
  const press = (event: KeyboardEvent, at: number) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    move(at, event.key === 'ArrowUp' ? at - 1 : at + 1)
  }
  const drop = (at: number) => {
    if (dragged !== undefined && dragged !== at) move(dragged, at)
    setDragged(undefined)
    setOver(undefined)
  }
  const change = (monitor_id: number, body: AssignmentPatch) =>
    attempt(async () => {
      await api.updateAssignment({ params: { id, monitor_id }, body })
      onChange()
    })
  const add = (ids: number[]) => {
    const monitor_id = ids.at(-1)
    if (monitor_id === undefined) return
    const group_name = list.at(-1)?.group_name
    const body = { monitor_id, order_index: list.length, ...(group_name === undefined ? {} : { group_name }) }
    attempt(async () => {
      await api.assignMonitor({ params: { id }, body })
      onChange()
    })
  }
  const remove = (monitor_id: number) =>
    attempt(async () => {
      await api.unassignMonitor({ params: { id, monitor_id } })
      onChange()
    })
  return (
    <Card title="Monitors on the page" flush>
      <output className="visually-hidden" aria-live="assertive">
        {said}
      </output>
      {editable && list.length > 0 && (
        <p className="hint assigned-hint">Under each, the name that visitors read and the group it stands in.</p>
      )}
      <ul className="assigned" ref={ref}>
        {list.map((item, at) => (
          <li
            key={item.monitor_id}
            className={`${dragged === at ? 'dragged' : ''} ${over === at && dragged !== at ? 'over' : ''}`}
            onDragOver={event => {
              event.preventDefault()
              setOver(at)
            }}
            onDrop={() => drop(at)}
          >
            {editable ? (
              <button
                type="button"
                className="grip"
                draggable
                aria-label={`Move ${item.name}: place ${at + 1} of ${list.length}; arrow keys move it`}
                onDragStart={event => {
                  event.dataTransfer.effectAllowed = 'move'
                  event.dataTransfer.setData('text/plain', item.name)
                  setDragged(at)
                }}
                onDragEnd={() => setDragged(undefined)}
                onKeyDown={event => press(event, at)}
              >
                <Icon name="grip" />
              </button>
            ) : (
              <span />
            )}
            <Shown
              item={item}
              monitor={all.list.find(each => each.id === item.monitor_id)}
              editable={editable}
              onChange={body => change(item.monitor_id, body)}
            />
            {editable && (
              <IconButton
                icon="close"
                label={`Take ${item.name} off the page`}
                onClick={() => remove(item.monitor_id)}
              />
            )}
          </li>
        ))}
      </ul>
      {list.length === 0 && <p className="notice">There is nothing on it yet{editable && ': choose below'}.</p>}
      {editable && (
        <div className="assigned-add">
          <MonitorPicker label="Add a monitor" value={list.map(each => each.monitor_id)} hidden onChange={add} />
        </div>
      )}
    </Card>
  )
}

function Shown(props: {
  item: Assignment
  monitor: Monitor | undefined
  editable: boolean
  onChange: (change: AssignmentPatch) => void
}) {
  const { item, monitor, editable, onChange } = props
  const sign = monitor !== undefined && <MonitorDot monitor={monitor} />
  const { name, display_name, group_name, show_uptime, show_response_time } = item
  if (!editable) {
    return (
      <div>
        {sign} <span className="name">{display_name ?? name}</span> <span className="quiet">{group_name}</span>
      </div>
    )
  }
  return (
    <div className="inputs">
      <span className="name">
        {sign} {name}
      </span>
      <div className="checks">
        <label className="check">
          <input
            type="checkbox"
            checked={show_uptime}
            onChange={event => onChange({ show_uptime: event.target.checked })}
          />
          Uptime
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={show_response_time}
            onChange={event => onChange({ show_response_time: event.target.checked })}
          />
          Response
        </label>
      </div>
      <input
        aria-label={`Shown name of ${name}`}
        placeholder={name}
        defaultValue={display_name ?? ''}
        maxLength={255}
        onBlur={event => {
          const text = event.target.value.trim() || null
          if (text !== display_name) onChange({ display_name: text })
        }}
      />
      <input
        aria-label={`Group of ${name}`}
        placeholder="General"
        defaultValue={group_name}
        maxLength={100}
        onBlur={event => {
          const text = event.target.value.trim() || 'General'
          if (text !== group_name) onChange({ group_name: text })
        }}
      />
    </div>
  )
}
