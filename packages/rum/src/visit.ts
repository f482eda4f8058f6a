/// <reference lib="dom" />

const key = 'wp_rum'
const idleMs = 1_800_000

/** Random, as hexadecimal digits. */
export const hex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Id, when it was last used, and whether it is one that is watched. */
type Visit = [id: string, at: number, watched: boolean]

/**
 * The visit that now is part of, the same in all tabs and after reloads, until nothing happened for 30 minutes.
 * @param begun told of a new one
 * @returns its id; undefined where it is not watched
 */
export function visits(sampleRate: number, begun: (id: string) => void): () => string | undefined {
  let visit: Visit | undefined
  let written = 0
  return () => {
    const now = Date.now()
    // Another tab may have begun one, or gone on with it.
    if (now - written > 1000) {
      try {
        visit = JSON.parse(localStorage.getItem(key) as string) ?? visit
      } catch {}
    }
    const isNew = !visit || !(now - visit[1] < idleMs)
    if (isNew) visit = [hex(16), now, Math.random() < sampleRate]
    const [id, , watched] = visit as Visit
    if (isNew || now - written > 1000) {
      written = now
      visit = [id, now, watched]
      try {
        localStorage.setItem(key, JSON.stringify(visit))
      } catch {}
    }
    if (!watched) return undefined
    if (isNew) begun(id)
    return id
  }
}
