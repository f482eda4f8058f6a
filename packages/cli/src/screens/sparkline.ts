const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Values as bars from the least to the greatest; a check without an answer is a cross. */
export function sparkline(values: (number | null)[]): string {
  const known = values.filter(value => value !== null)
  const least = Math.min(...known)
  const span = Math.max(...known) - least
  return values
    .map(value => {
      if (value === null) return '×'
      return bars[span === 0 ? 3 : Math.round(((value - least) / span) * (bars.length - 1))]
    })
    .join('')
}
