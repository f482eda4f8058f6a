/** `; did you mean "name"?` where a known word is near, for the end of a sentence; nothing otherwise. */
export function suggestionFor(word: string, known: Iterable<string>): string {
  const bare = (text: string) => text.toLowerCase().replaceAll('-', '_')
  const [best] = [...known]
    .map(each => ({ each, distance: distanceOf(bare(word), bare(each)) }))
    .filter(({ each, distance }) => distance <= Math.min(3, Math.max(word.length, each.length) / 2))
    .sort((a, b) => a.distance - b.distance)
  return best === undefined ? '' : `; did you mean "${best.each}"?`
}

/** Letters to put in, take out, change or swap with the next. */
function distanceOf(a: string, b: string): number {
  // Rows of the table before the one that is made: the letters of `a` so far against each beginning of `b`.
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = Number(last[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? Number(before[j - 2]) + 1 : change
      row.push(Math.min(Number(last[j]) + 1, Number(row[j - 1]) + 1, change, swap))
    }
    before = last
    last = row
  }
  return Number(last[b.length])
}
