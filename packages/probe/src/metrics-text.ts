/** One metric in the text format of Prometheus, version 0.0.4. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  samples: Sample[]
}

/** `suffix` is `_bucket`, `_sum` or `_count` in a histogram. */
export interface Sample {
  suffix?: string
  labels?: Record<string, string>
  value: number
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

export function metricsText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(
        ({ suffix = '', labels = {}, value }) => `${name}${suffix}${written(labels)} ${number(value)}\n`,
      )
      return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`
    })
    .join('')
}

function written(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const number = (value: number) => (value === Number.POSITIVE_INFINITY ? '+Inf' : String(value))

/** Counts values by the bound they stay under. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** @param bounds ascending; what exceeds the last is counted all the same */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  add(value: number): void {
    this.#sum += value
    this.#count++
    const at = this.#bounds.findIndex(bound => value <= bound)
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1
  }

  samples(labels: Record<string, string> = {}): Sample[] {
    let below = 0
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index] ?? 0
      return { suffix: '_bucket', labels: { ...labels, le: String(bound) }, value: below }
    })
    return [
      ...buckets,
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: this.#count },
      { suffix: '_sum', labels, value: Math.round(this.#sum * 1e6) / 1e6 },
      { suffix: '_count', labels, value: this.#count },
    ]
  }
}
