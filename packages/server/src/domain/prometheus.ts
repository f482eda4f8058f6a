/** One metric in the text format of Prometheus. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  samples: { labels?: Record<string, string>; value: number }[]
}

/** The text that Prometheus reads, version 0.0.4. */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.map(({ labels = {}, value }) => `${name}${written(labels)} ${value}`),
        '',
      ].join('\n'),
    )
    .join('')
}

function written(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
