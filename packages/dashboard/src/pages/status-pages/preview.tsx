import type { StatusPage, StatusPageWrite } from '@watchpost/contract'
import { useEffect, useRef, useState } from 'react'
import { api, messageOf } from '../../core/api.ts'
import { Badge } from '../../ui/badge.tsx'
import { drawInto } from './draw-into.ts'

/** What of a page's settings is typed in, and whether it differs from what is saved. */
export interface Draft {
  body: Partial<StatusPageWrite>
  changed: boolean
}

// Long enough for a word to be typed, too short to be waited for.
const restMs = 120
/** What the page shows besides grows old. */
const againMs = 60_000
/** A document as the page is one: not what browsers make of pages of last century. */
const empty = '<!doctype html><title>Preview</title>'

/**
 * The page as its server draws it, with what is typed in and not saved yet.
 * @param version changes with what is saved beside the form: the monitors on the page
 */
export function Preview({ page, draft, version }: { page: StatusPage; draft: Draft; version: number }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [turn, setTurn] = useState(0)
  const [trouble, setTrouble] = useState<string>()
  const { id } = page
  // Half an address is no reason to wait, and is not seen.
  const { slug = page.slug, custom_domain: _, ...seen } = draft.body
  const body = JSON.stringify(seen)

  useEffect(() => {
    const timer = setInterval(() => document.hidden || setTurn(n => n + 1), againMs)
    return () => clearInterval(timer)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version and the turn are reasons to look again
  useEffect(() => {
    if (!ready) return
    const asked = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const drawn = await api.previewStatusPage({ params: { id }, body: JSON.parse(body), signal: asked.signal })
        const target = frame.current?.contentDocument
        if (asked.signal.aborted || !target) return
        drawInto(target, drawn)
        setTrouble(undefined)
      } catch (error) {
        if (!asked.signal.aborted) setTrouble(messageOf(error))
      }
    }, restMs)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [id, body, version, turn, ready])

  return (
    <section className="card flush preview" aria-label="Preview">
      <header>
        <h2>Preview</h2>
        {draft.changed && <Badge tone="warn">not saved</Badge>}
        <code className="quiet">/status/{slug}</code>
      </header>
      {trouble !== undefined && <p className="notice warn">Shown as it was before: {trouble}</p>}
      {!page.is_public && <p className="notice">Nobody but your team sees this while the page is hidden.</p>}
      <iframe
        ref={frame}
        title="The status page as others will see it"
        sandbox="allow-same-origin allow-popups"
        srcDoc={empty}
        onLoad={() => setReady(true)}
      />
    </section>
  )
}
