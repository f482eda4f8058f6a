import type { ReactNode } from 'react'
import { isNotFound, messageOf } from '../core/api.ts'
import type { Known } from '../core/cache.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

/** What is shown where there is nothing yet: what it would be, and the way to the first. */
export function Empty(props: { icon: IconName; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon name={props.icon} size={22} />
      </span>
      <h2>{props.title}</h2>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

export function Trouble({ error, again }: { error: unknown; again?: () => void }) {
  return (
    <div className="empty" role="alert">
      <span className="empty-icon bad">
        <Icon name="incidents" size={22} />
      </span>
      <h2>{isNotFound(error) ? 'This is not here' : 'That did not work'}</h2>
      <p>{isNotFound(error) ? 'It may have been deleted, or it belongs to another team.' : messageOf(error)}</p>
      {again !== undefined && !isNotFound(error) && <Button onClick={again}>Try again</Button>}
    </div>
  )
}

/** Bars where lines of text will be. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className="skeleton" aria-busy="true">
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <div key={line} className={`bar w${(line * 37) % 5}`} />
      ))}
    </div>
  )
}

/** The four states of what was asked for: on its way, failed, old and failing, there. */
export function Loaded<T>(props: {
  of: Known<T> & { reload: () => void }
  lines?: number
  children: (data: T) => ReactNode
}) {
  const { data, error, reload } = props.of
  if (data === undefined) {
    return error === undefined ? <Skeleton lines={props.lines ?? 5} /> : <Trouble error={error} again={reload} />
  }
  if (isNotFound(error)) return <Trouble error={error} />
  return (
    <>
      {error !== undefined && (
        <p className="notice warn" role="status">
          {messageOf(error)}{' '}
          <button type="button" className="link" onClick={reload}>
            Try again
          </button>
        </p>
      )}
      {props.children(data)}
    </>
  )
}
