import type { Scheme } from './palette.ts'

export type Layout = { scheme: Scheme; compact: boolean }

/**
 * A layout by its name, a free word on the wire, read part by part: `modern-light`, `modern-dark`, `modern-auto`,
 * `compact`, `compact-light`, `compact-dark`. Whatever names neither light nor dark follows the visitor's system.
 */
export function layoutOf(name: string): Layout {
  const parts = name.split('-')
  const scheme = parts.includes('dark') ? 'dark' : parts.includes('light') ? 'light' : 'auto'
  return { scheme, compact: parts.includes('compact') }
}
