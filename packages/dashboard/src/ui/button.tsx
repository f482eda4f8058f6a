import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Link } from '../core/router.tsx'
import { Icon, type IconName } from './icon.tsx'

type Kind = 'plain' | 'primary' | 'danger' | 'ghost'

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** Where a dialog begins. */
  'data-first'?: boolean
  kind?: Kind
  icon?: IconName
  busy?: boolean
  small?: boolean
}

export function Button({
  kind = 'plain',
  icon,
  busy = false,
  small = false,
  children,
  className = '',
  ...rest
}: Props) {
  return (
    <button
      type="button"
      aria-busy={busy || undefined}
      // Not `disabled`: who pressed it by key would be nowhere.
      aria-disabled={busy || undefined}
      className={`button ${kind} ${small ? 'small' : ''} ${className}`}
      {...rest}
      onClick={busy ? event => event.preventDefault() : rest.onClick}
    >
      {busy ? <span className="spinner" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that is nothing but its picture; the label is for those who cannot see it, and for the pointer that rests. */
export function IconButton({ icon, label, ...rest }: { icon: IconName; label: string } & Omit<Props, 'icon'>) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  )
}

export function ButtonLink(props: { to: string; kind?: Kind; icon?: IconName; children: ReactNode; small?: boolean }) {
  const { to, kind = 'plain', icon, children, small = false } = props
  return (
    <Link to={to} className={`button ${kind} ${small ? 'small' : ''}`}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}
