/** Those whose label or note has every word of the text, the better first: label before note, beginning before middle. */
export function matching<T extends { label: string; note: string }>(all: T[], text: string, most: number): T[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return all.slice(0, most)
  const found: { item: T; score: number }[] = []
  for (const item of all) {
    const label = item.label.toLowerCase()
    const note = item.note.toLowerCase()
    if (!words.every(word => label.includes(word) || note.includes(word))) continue
    const [first = ''] = words
    const score = label.startsWith(first) ? 0 : label.includes(` ${first}`) ? 1 : label.includes(first) ? 2 : 3
    found.push({ item, score })
  }
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ item }) => item)
}
