import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { api } from '../core/api.ts'
import { count } from '../core/format.ts'
import { monitors } from '../core/monitors.ts'
import { Link, navigate, useLocation } from '../core/router.tsx'
import { useDoor, useSession } from '../core/session.tsx'
import { stateOf } from '../core/watched.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { attempt } from '../ui/toast.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useKeptPlace } from './kept-place.ts'
import { Keys } from './keys.tsx'
import { places } from './navigation.ts'
import { Notices } from './notices.tsx'
import { openPalette, Palette } from './palette.tsx'
import { useTabIcon } from './tab-icon.ts'
import { applyTheme, chosenTheme, type Theme, themes } from './theme.ts'

export function Layout({ children }: { children: ReactNode }) {
  const { path } = useLocation()
  const [open, setOpen] = useState(false)
  const content = useRef<HTMLElement>(null)
  useKeptPlace(content)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere has done with the menu
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!open) return
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      document.querySelector<HTMLElement>('.topbar [aria-expanded]')?.focus()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [open])
  const at = (to: string) => path === to || path.startsWith(`${to}/`) || (to === '/monitors' && path === '/')
  return (
    <div className={open ? 'layout menu-open' : 'layout'}>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="topbar">
        <IconButton icon="menu" label="Menu" aria-expanded={open} onClick={() => setOpen(!open)} />
        <Link to="/monitors" className="brand">
          <Mark /> Watchpost
        </Link>
        <IconButton icon="search" label="Search and commands" onClick={openPalette} />
      </header>
      <button type="button" className="scrim" aria-label="Close menu" tabIndex={-1} onClick={() => setOpen(false)} />
      <nav className="sidebar" aria-label="Main">
        <Link to="/monitors" className="brand">
          <Mark /> Watchpost
        </Link>
        <button type="button" className="find" onClick={openPalette}>
          <Icon name="search" />
          <span>Search</span>
          <kbd>{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'} K</kbd>
        </button>
        <ul>
          {places.map(place => (
            <li key={place.to}>
              <Link to={place.to} aria-current={at(place.to) ? 'page' : undefined}>
                <Icon name={place.icon} />
                {place.label}
                {place.to === '/monitors' && <Down />}
              </Link>
            </li>
          ))}
        </ul>
        <Who />
      </nav>
      <main id="content" tabIndex={-1} ref={content}>
        <ConnectionBar />
        {children}
      </main>
      <Palette />
      <Keys />
      <Notices />
    </div>
  )
}

/** How many monitors are down, wherever one is; known once somebody has looked at the list. */
function Down() {
  const { list } = useSyncExternalStore(monitors.subscribe, monitors.read)
  const down = list.filter(monitor => stateOf(monitor) === 'offline').length
  useTabIcon(down > 0)
  if (down === 0) return null
  return (
    <span className="count">
      {count(down)}
      <span className="visually-hidden"> offline</span>
    </span>
  )
}

export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M6 17h5l3-8 4 14 3-6h5" />
    </svg>
  )
}

function Who() {
  const session = useSession()
  const { leave, enter } = useDoor()
  const [theme, setTheme] = useState<Theme>(chosenTheme())
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] as Theme
  return (
    <div className="who">
      {session.teams.length > 1 && (
        <select
          aria-label="Team"
          value={session.team.id}
          onChange={event =>
            attempt(async () => {
              enter((await api.switchTeam({ body: { team_id: Number(event.target.value) } })).data)
              navigate('/monitors')
            })
          }
        >
          {session.teams.map(team => (
            <option key={team.id} value={team.id}>
              {team.name}
            </option>
          ))}
        </select>
      )}
      <div className="who-line">
        <Link to="/account" className="me" title="Your account">
          <span className="avatar" aria-hidden="true">
            {session.user.email.charAt(0).toUpperCase()}
          </span>
          <span className="me-text">
            <span className="me-mail">{session.user.email}</span>
            <span className="me-role">
              {session.role} of {session.team.name}
            </span>
          </span>
        </Link>
        <IconButton
          icon={theme === 'system' ? 'system' : theme === 'light' ? 'sun' : 'moon'}
          label={`Theme: ${theme}. Change to ${next}`}
          onClick={() => {
            setTheme(next)
            applyTheme(next)
          }}
        />
        <IconButton icon="logout" label="Log out" onClick={() => attempt(leave)} />
      </div>
    </div>
  )
}
