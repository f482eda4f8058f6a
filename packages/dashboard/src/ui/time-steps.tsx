import { closer, earlier, later, type Stretch } from '../core/stretch.ts'
import { IconButton } from './button.tsx'

/** Looks at another stretch of time by buttons: what dragging over a chart does, for who cannot drag. */
export function TimeSteps({ of, onLook }: { of: () => Stretch; onLook: (from: number, to: number) => void }) {
  const look = (next: (stretch: Stretch) => Stretch) => () => {
    const [from, to] = next(of())
    onLook(Math.round(from), Math.round(to))
  }
  return (
    <span className="time-steps">
      <IconButton icon="back" label="Earlier" onClick={look(earlier)} />
      <IconButton icon="zoom" label="Zoom in" onClick={look(closer)} />
      <IconButton icon="forward" label="Later" onClick={look(stretch => later(stretch, Date.now()))} />
    </span>
  )
}
