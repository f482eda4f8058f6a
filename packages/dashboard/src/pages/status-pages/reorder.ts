/** The list with one moved to another place. */
export function moved<T>(list: T[], from: number, to: number): T[] {
  const next = [...list]
  const [item] = next.splice(from, 1)
  if (item !== undefined) next.splice(Math.max(0, Math.min(next.length, to)), 0, item)
  return next
}
