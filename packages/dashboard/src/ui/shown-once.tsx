import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Copy } from './copy.tsx'
import { Dialog } from './dialog.tsx'

/** A secret that is shown now and never again. */
export function ShownOnce(props: { title: string; text: string; children: ReactNode; onClose: () => void }) {
  return (
    <Dialog title={props.title} onClose={props.onClose} wide>
      <div className="stack">
        <p>{props.children}</p>
        <Copy text={props.text} label={`Copy ${props.title.toLowerCase()}`} secret />
        <div className="actions end">
          <Button kind="primary" onClick={props.onClose}>
            I have kept it
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
