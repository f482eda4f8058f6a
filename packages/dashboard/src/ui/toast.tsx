import { useSyncExternalStore } from 'react'
import { messageOf } from '../core/api.ts'
import { IconButton } from './button.tsx'

type Tone = 'good' | 'bad' | 'plain'
interface Toast {
  id: number
  tone: Tone
  text: string
}

let toasts: Toast[] = []
let last = 0
const readers = new Set<() => void>()

function set(next: Toast[]): void {
  toasts = next
  for (const reader of readers) reader()
}

const dismiss = (id: number) => set(toasts.filter(toast => toast.id !== id))

/** Says something in the corner, and takes it away after a while. */
export function toast(text: string, tone: Tone = 'good'): void {
  const id = ++last
  set([...toasts.slice(-3), { id, tone, text }])
  setTimeout(() => dismiss(id), tone === 'bad' ? 9000 : 4500)
}

/** Does something that was asked for, and says how it went. @returns whether it went well */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work()
    if (done !== undefined) toast(done)
    return true
  } catch (error) {
    toast(messageOf(error), 'bad')
    return false
  }
}

export function Toasts() {
  const shown = useSyncExternalStore(
    reader => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    () => toasts,
  )
  return (
    <output className="toasts" aria-live="polite">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={`toast ${tone}`}>
          <span>{text}</span>
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </output>
  )
}
