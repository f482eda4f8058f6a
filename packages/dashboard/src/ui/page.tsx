import { type ReactNode, useEffect } from 'react'
import { Link } from '../core/router.tsx'
import { useArrival } from './arrive.ts'
import { Icon } from './icon.tsx'

/** The head of a page, which is also what the browser's tab says. */
export function Page(props: {
  title: string
  /** What the browser's tab says instead: of a page that shares its heading with others. */
  tab?: string | undefined
  back?: { to: string; label: string }
  aside?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
}) {
  const { title, tab = title, back, aside, actions, children, wide = false } = props
  useEffect(() => {
    document.title = `${tab} · Watchpost`
  }, [tab])
  const heading = useArrival()
  return (
    <div className={wide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div className="page-title">
          {back !== undefined && (
            <Link to={back.to} className="back">
              <Icon name="back" size={14} />
              {back.label}
            </Link>
          )}
          <div className="title-line">
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {aside}
          </div>
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function Card(props: { title?: string; actions?: ReactNode; children: ReactNode; flush?: boolean }) {
  const { title, actions, children, flush = false } = props
  return (
    <section className={flush ? 'card flush' : 'card'}>
      {title !== undefined && (
        <header>
          <h2>{title}</h2>
          {actions !== undefined && <div className="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  )
}
