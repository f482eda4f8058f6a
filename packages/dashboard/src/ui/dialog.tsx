import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '../core/api.ts'
import { Button, IconButton } from './button.tsx'

const firstStop = '.dialog-body :is(input, select, textarea, [data-first])'

/** A window over the page: the browser keeps the focus in it, and Escape closes it. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode; wide?: boolean }) {
  const { title, onClose, children, wide = false } = props
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const opened = document.activeElement
    ref.current?.showModal()
    // One came for a field or for the answer, not to close it again.
    ref.current?.querySelector<HTMLElement>(firstStop)?.focus()
    return () => (opened instanceof HTMLElement ? opened.focus() : undefined)
  }, [])
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}

/** Asks before something is gone for good. */
export function Confirm(props: {
  title: string
  children: ReactNode
  action: string
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const go = async () => {
    setBusy(true)
    try {
      await props.onConfirm()
      props.onClose()
    } catch (trouble) {
      setError(trouble)
      setBusy(false)
    }
  }
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className="stack">
        <div>{props.children}</div>
        {error !== undefined && (
          <p className="notice danger" role="alert">
            {messageOf(error)}
          </p>
        )}
        <div className="actions end">
          <Button data-first onClick={props.onClose}>
            Cancel
          </Button>
          <Button kind="danger" busy={busy} onClick={go}>
            {props.action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
