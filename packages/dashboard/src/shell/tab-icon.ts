import { useEffect } from 'react'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#c02626"/>' +
  '<path d="M16 8v10M16 23.5v.5" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>'
const alarm = `data:image/svg+xml,${encodeURIComponent(svg)}`

/** The browser's tab says that something is down, to who looks at another one. */
export function useTabIcon(isDown: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!isDown || link === null) return
    const calm = link.href
    link.href = alarm
    return () => {
      link.href = calm
    }
  }, [isDown])
}
