import { type RefObject, useEffect } from 'react'

const focusable = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex]'

/**
 * What had the focus may go: a row that was deleted, a button that has done its work. Whoever has no mouse then goes on
 * beside it, not from the top of the page.
 */
export function useKeptPlace(content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = content.current
    if (root === null) return
    let path: Element[] = []
    const remember = ({ target }: FocusEvent) => {
      path = []
      for (let at = target as Element | null; at !== null && root.contains(at); at = at.parentElement) path.push(at)
    }
    const isGone = () => path[0] !== undefined && !isThere(path[0])
    let timer: ReturnType<typeof setTimeout> | undefined
    const rescue = () => {
      timer = undefined
      if (!isGone() || document.activeElement !== document.body) return
      const near = path.slice(1).find(isThere) ?? root
      const next = near === root ? near : (near.querySelector<HTMLElement>(focusable) ?? root)
      ;(next as HTMLElement).focus({ preventScroll: true })
    }
    // A little later: what takes its place may take the focus by itself.
    const watch = new MutationObserver(() => {
      if (timer === undefined && isGone()) timer = setTimeout(rescue, 60)
    })
    watch.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    root.addEventListener('focusin', remember)
    return () => {
      clearTimeout(timer)
      watch.disconnect()
      root.removeEventListener('focusin', remember)
    }
  }, [content])
}

const isThere = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
