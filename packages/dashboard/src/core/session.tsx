import { type Route, type RouteName, roles, routes, type Session } from '@watchpost/contract'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import { api, keepCsrfToken, whenLoggedOut } from './api.ts'
import { forgetAll } from './cache.ts'
import { followEvents } from './live.ts'
import { monitors } from './monitors.ts'

interface Door {
  session: Session | undefined
  /** Whether it is not known yet who is there. */
  asking: boolean
  /** Why it is not known. */
  trouble: unknown
  enter(session: Session): void
  leave(): Promise<void>
  ask(): void
}

const DoorContext = createContext<Door | undefined>(undefined)

/** Whether somebody in this role would be let in by the route: the contract says so, for buttons as for the server. */
export function mayCall(session: Session, name: RouteName): boolean {
  const entry: Route = routes[name]
  if (entry.role !== undefined && roles.indexOf(session.role) < roles.indexOf(entry.role)) return false
  return entry.scope === undefined || session.scopes.includes(entry.scope)
}

/** The least role that a route lets in. */
export const roleFor = (name: RouteName): string => (routes[name] as Route).role ?? 'viewer'

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session>()
  const [asking, setAsking] = useState(true)
  const [trouble, setTrouble] = useState<unknown>()

  const enter = useCallback((next: Session) => {
    keepCsrfToken(next.csrf_token)
    forgetAll()
    monitors.forget()
    setTrouble(undefined)
    setSession(next)
    setAsking(false)
  }, [])
  const lose = useCallback(() => {
    keepCsrfToken('')
    forgetAll()
    monitors.forget()
    setSession(undefined)
    setAsking(false)
  }, [])
  const ask = useCallback(() => {
    setAsking(true)
    api.getSession().then(
      ({ data }) => enter(data),
      error => {
        const nobody = (error as { status?: number }).status === 401
        setTrouble(nobody ? undefined : error)
        setSession(undefined)
        setAsking(false)
      },
    )
  }, [enter])
  useEffect(() => {
    whenLoggedOut(lose)
    ask()
  }, [ask, lose])

  const who = session === undefined ? undefined : `${session.user.id} ${session.team.id}`
  useEffect(() => (who === undefined ? undefined : followEvents()), [who])

  const door = useMemo<Door>(
    () => ({
      session,
      asking,
      trouble,
      enter,
      ask,
      async leave() {
        await api.logOut()
        lose()
      },
    }),
    [session, asking, trouble, enter, ask, lose],
  )
  return <DoorContext value={door}>{children}</DoorContext>
}

export function useDoor(): Door {
  const door = useContext(DoorContext)
  if (door === undefined) throw new Error('useDoor outside of SessionProvider')
  return door
}

/** Who is logged in; only where somebody is. */
export function useSession(): Session {
  const { session } = useDoor()
  if (session === undefined) throw new Error('nobody is logged in')
  return session
}

/** Says of each route whether whoever is logged in may call it. */
export function useMay(): (name: RouteName) => boolean {
  const session = useSession()
  return useCallback(name => mayCall(session, name), [session])
}
