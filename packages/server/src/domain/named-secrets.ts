import { firstNot } from './bisect.ts'

/**
 * Whether a property is hidden by paths that a client has named as secrets: by its own, by one above it, or by one
 * within it, since a list is one property. Each answer takes a few looks, however many paths there are.
 */
export function namedSecrets(secrets: readonly string[]): (path: string) => boolean {
  if (secrets.length === 0) return () => false
  const named = new Set(secrets)
  const sorted = [...named].sort()
  const longest = sorted.reduce((most, { length }) => Math.max(most, length), 0)
  return path => {
    // What is longer than the longest is none of them, so names that are all dots cost no more than others.
    for (let end = path.indexOf('.'); end !== -1 && end <= longest; end = path.indexOf('.', end + 1)) {
      if (named.has(path.slice(0, end))) return true
    }
    const below = `${path}.`
    // Those that begin with it stand together, first among what does not come before it.
    return named.has(path) || sorted[firstNot(sorted, each => each < below)]?.startsWith(below) === true
  }
}
