import { useEffect, useState } from 'react'
import { navigate, useLocation } from '../core/router.tsx'
import { useMay } from '../core/session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { places } from './navigation.ts'
import { openPalette } from './palette.tsx'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The keys of the whole dashboard, and the list of them under ? */
export function Keys() {
  const [help, setHelp] = useState(false)
  const { path } = useLocation()
  const may = useMay()
  useEffect(() => {
    let leader = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return openPalette()
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      if (event.timeStamp - leader < 1500) {
        leader = Number.NEGATIVE_INFINITY
        const place = places.find(each => each.key === event.key)
        if (place !== undefined) {
          event.preventDefault()
          navigate(place.to)
        }
        return
      }
      if (event.key === 'g') leader = event.timeStamp
      else if (event.key === '?') setHelp(true)
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type=search]')
        if (search === null) return
        event.preventDefault()
        search.focus()
      } else if (event.key === 'c' && may('createMonitor')) {
        event.preventDefault()
        navigate('/monitors/new')
      } else if (event.key === 'e') {
        document.querySelector<HTMLElement>('main [data-key=e] a, main a[data-key=e]')?.click()
      }
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [may])
  // biome-ignore lint/correctness/useExhaustiveDependencies: on another page one has done with it
  useEffect(() => setHelp(false), [path])
  if (!help) return null
  const rows: [string, string][] = [
    ['Ctrl K', 'Search, and every command'],
    ['/', 'Search in the list'],
    ['↑ ↓ Enter', 'Move in the list of monitors, and open'],
    ...(may('createMonitor') ? [['c', 'New monitor'] as [string, string]] : []),
    ['e', 'Edit what is shown'],
    ...places.map(place => [`g ${place.key}`, place.label] as [string, string]),
    ['?', 'This list'],
  ]
  return (
    <Dialog title="Keys" onClose={() => setHelp(false)}>
      <dl className="keys">
        {rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map(key => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
