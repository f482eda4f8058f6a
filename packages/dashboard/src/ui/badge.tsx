import type { ReactNode } from 'react'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'quiet'

const tones: Record<string, Tone> = {
  online: 'good',
  offline: 'bad',
  error: 'warn',
  'not watched': 'warn',
  pending: 'quiet',
  paused: 'quiet',
  investigating: 'bad',
  identified: 'warn',
  monitoring: 'info',
  resolved: 'good',
  critical: 'bad',
  major: 'warn',
  minor: 'quiet',
  active: 'info',
  scheduled: 'quiet',
  ended: 'quiet',
  delivered: 'good',
  failed: 'bad',
}

export const toneOf = (word: string): Tone => tones[word] ?? 'quiet'

export function Badge({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone ?? (typeof children === 'string' ? toneOf(children) : 'quiet')}`}>{children}</span>
  )
}

/** A word with a shape beside it: the colour alone says nothing to some. */
export function Status(props: {
  word: string
  /** Which shape; the word's own if absent. */
  kind?: string
  note?: string | undefined
  title?: string | undefined
}) {
  const { word, kind = word, note, title } = props
  return (
    <span className={`status ${toneOf(word)}`} title={title}>
      <span className={`dot ${kind}`} aria-hidden="true" />
      {word}
      {note !== undefined && <span className="quiet"> · {note}</span>}
    </span>
  )
}
