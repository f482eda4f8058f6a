import type { ReactNode } from 'react'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'quiet'

const tones: Record<string, Tone> = {
  online: 'good',
  offline: 'bad',
  error: 'warn',
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
export function Status({ word, note }: { word: string; note?: string | undefined }) {
  return (
    <span className={`status ${toneOf(word)}`}>
      <span className={`dot ${word}`} aria-hidden="true" />
      {word}
      {note !== undefined && <span className="quiet"> · {note}</span>}
    </span>
  )
}
