import { type RefObject, useEffect, useRef } from 'react'

let arrived = false

/** Something was shown that is no page: what follows it, logging in say, is gone to. */
export function useDoorstep(): void {
  useEffect(() => {
    arrived = true
  }, [])
}

/**
 * Whoever goes from page to page without a mouse begins at the new page's heading, and hears it. The first page is the
 * browser's, and a field that took the focus by itself keeps it.
 */
export function useArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const first = !arrived
    arrived = true
    const at = document.activeElement
    const content = document.getElementById('content')
    const settled = at !== document.body && at !== content && content?.contains(at)
    if (!first && !settled) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
