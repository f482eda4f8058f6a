import { expect, test } from 'vitest'
import { prometheusText } from './prometheus.ts'

test('a metric is its help, its type and a line for each sample', () => {
  const samples = [
    { labels: { status: 'online' }, value: 3 },
    { labels: { status: 'a "b"\\\n' }, value: 0.5 },
  ]
  expect(prometheusText([{ name: 'watchpost_monitors', help: 'Monitors.', type: 'gauge', samples }])).toBe(
    `# HELP watchpost_monitors Monitors.
# TYPE watchpost_monitors gauge
watchpost_monitors{status="online"} 3
watchpost_monitors{status="a \\"b\\"\\\\\\n"} 0.5
`,
  )
})
