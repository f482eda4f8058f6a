import type { Monitor } from '@watchpost/contract'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../core/api.ts'
import { useQuery } from '../core/cache.ts'
import { everyPage } from '../core/every-page.ts'
import { monitors, useMonitors } from '../core/monitors.ts'
import { navigate } from '../core/router.tsx'
import { useDoor, useMay } from '../core/session.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { MonitorDot } from '../ui/monitor-state.tsx'
import { attempt } from '../ui/toast.tsx'
import { matching } from './matching.ts'
import { places } from './navigation.ts'
import { applyTheme, themes } from './theme.ts'

interface Command {
  id: string
  label: string
  note: string
  icon: IconName
  /** Of a monitor, whose state is shown in place of an icon. */
  monitor?: Monitor
  run: () => void
}

/** What of an app is gone to most. */
const parts = [
  ['', ''],
  ['/traces', ': traces'],
  ['/logs', ': logs'],
] as const

let show: (() => void) | undefined

export function openPalette(): void {
  show?.()
}

/** Everything one can go to or do, by typing a part of its name. */
export function Palette() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    show = () => setOpen(true)
    return () => {
      show = undefined
    }
  }, [])
  return open ? <Opened onClose={() => setOpen(false)} /> : null
}

function Opened({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opened = document.activeElement
    ref.current?.showModal()
    monitors.start()
    return () => (opened instanceof HTMLElement ? opened.focus() : undefined)
  }, [])
  const commands = useCommands()
  const found = useMemo(() => matching(commands, text, 12), [commands, text])
  const chosen = found[Math.min(at, found.length - 1)]
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, found.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter') run(chosen)
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={ref}
      className="palette"
      aria-label="Search and commands"
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => event.target === ref.current && onClose()}
      onKeyDown={press}
    >
      <div className="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={chosen === undefined ? undefined : `command-${chosen.id}`}
          aria-label="Search monitors, pages and commands"
          placeholder="Where to, or what to do?"
          value={text}
          autoFocus
          onChange={event => {
            setText(event.target.value)
            setAt(0)
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's
          <div
            key={command.id}
            id={`command-${command.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === chosen}
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            {command.monitor === undefined ? <Icon name={command.icon} /> : <MonitorDot monitor={command.monitor} />}
            <span>{command.label}</span>
            <span className="quiet">{command.note}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="palette-none">Nothing is called that.</p>}
    </dialog>
  )
}

function useCommands(): Command[] {
  const { list } = useMonitors()
  const { leave } = useDoor()
  const may = useMay()
  const pages = useQuery('status-pages/list', () => everyPage(api.listStatusPages, { sort: 'title' }))
  const apps = useQuery('apps/list', () => everyPage(api.listApps, { sort: 'name' }))
  return useMemo(() => {
    const go = (to: string) => () => navigate(to)
    const make: [Parameters<typeof may>[0], string, string, IconName][] = [
      ['createMonitor', 'New monitor', '/monitors/new', 'plus'],
      ['createIncident', 'Report an incident', '/incidents/new', 'plus'],
      ['createMaintenanceWindow', 'Plan maintenance', '/maintenance/new', 'plus'],
      ['createStatusPage', 'New status page', '/status-pages/new', 'plus'],
      ['createChannel', 'New channel', '/channels/new', 'plus'],
      ['createProbe', 'Provision a probe', '/probes', 'plus'],
      ['addMember', 'Invite somebody', '/team', 'plus'],
    ]
    return [
      ...places.map(place => ({
        id: place.to.slice(1),
        label: place.label,
        note: 'Go to',
        icon: place.icon,
        run: go(place.to),
      })),
      ...make
        .filter(([name]) => may(name))
        .map(([name, label, to, icon]) => ({ id: name, label, note: 'Do', icon, run: go(to) })),
      ...(may('listAuditLog')
        ? [{ id: 'audit', label: 'Audit log', note: 'Go to', icon: 'team' as const, run: go('/team/audit-log') }]
        : []),
      { id: 'account', label: 'Your account and password', note: 'Go to', icon: 'team' as const, run: go('/account') },
      ...themes.map(theme => ({
        id: `theme-${theme}`,
        label: `Theme: ${theme}`,
        note: 'Do',
        icon: 'sun' as const,
        run: () => applyTheme(theme),
      })),
      {
        id: 'docs',
        label: 'API reference',
        note: 'Open',
        icon: 'external' as const,
        run: () => location.assign('/docs'),
      },
      { id: 'leave', label: 'Log out', note: 'Do', icon: 'logout' as const, run: () => attempt(leave) },
      ...(pages.data?.data ?? []).map(({ id, title }) => ({
        id: `page-${id}`,
        label: title,
        note: 'Status page',
        icon: 'pages' as const,
        run: go(`/status-pages/${id}`),
      })),
      ...(apps.data?.data ?? []).flatMap(({ id, name }) =>
        parts.map(([part, label]) => ({
          id: `app-${id}${part}`,
          label: `${name}${label}`,
          note: 'App',
          icon: 'apps' as const,
          run: go(`/apps/${id}${part}`),
        })),
      ),
      ...list.map(monitor => ({
        id: `monitor-${monitor.id}`,
        label: monitor.name,
        note: monitor.target,
        icon: 'monitors' as const,
        monitor,
        run: go(`/monitors/${monitor.id}`),
      })),
    ]
  }, [list, pages.data, apps.data, may, leave])
}
