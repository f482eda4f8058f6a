import { Component, type ReactNode } from 'react'
import { useLocation } from './core/router.tsx'
import { SessionProvider, useDoor } from './core/session.tsx'
import { Invitation } from './pages/invitation.tsx'
import { LogIn } from './pages/log-in.tsx'
import { Layout } from './shell/layout.tsx'
import { NotLoaded, PageNotLoaded } from './shell/not-loaded.tsx'
import { Routes } from './shell/routes.tsx'
import { Button } from './ui/button.tsx'
import { Trouble } from './ui/state.tsx'
import { Toasts } from './ui/toast.tsx'

export function App() {
  return (
    <Guard>
      <SessionProvider>
        <Entrance />
        <Toasts />
      </SessionProvider>
    </Guard>
  )
}

function Entrance() {
  const { session, asking, trouble, ask } = useDoor()
  const { path } = useLocation()
  if (location.pathname === '/invitation') return asking ? <Splash /> : <Invitation />
  if (session !== undefined) {
    return (
      <Layout>
        <Guard key={`${session.team.id} ${path}`} within>
          <Routes />
        </Guard>
      </Layout>
    )
  }
  if (asking) return <Splash />
  if (trouble !== undefined) {
    return (
      <main className="door">
        <h1 className="visually-hidden">Watchpost</h1>
        <Trouble error={trouble} again={ask} />
      </main>
    )
  }
  return <LogIn />
}

function Splash() {
  return (
    <main className="splash" aria-busy="true">
      <h1 className="visually-hidden">Watchpost</h1>
      <span className="spinner large" />
      <span className="visually-hidden">Loading…</span>
    </main>
  )
}

/** What broke breaks alone, until another page is gone to. */
class Guard extends Component<{ children: ReactNode; within?: boolean }, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    if (this.state.error instanceof PageNotLoaded) return <NotLoaded />
    // Within the layout there is a main element already.
    const Place = this.props.within ? 'div' : 'main'
    return (
      <Place className="door">
        <Trouble error={this.state.error} />
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </Place>
    )
  }
}
