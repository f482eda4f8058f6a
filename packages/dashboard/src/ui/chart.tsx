import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import { exactly } from '../core/format.ts'

export interface Line {
  label: string
  /** Name of a custom property. */
  colour: string
  values: (number | null)[]
  /** What the legend says instead: of a line that lies upon others. */
  own?: (number | null)[]
  width?: number
  /** `solid`: hides what was drawn before it. */
  fill?: boolean | 'solid'
  hidden?: boolean
}

/**
 * Lines over time. Dragging over a stretch of it zooms; the legend says what is under the pointer.
 * @param times epoch seconds
 */
export function Chart(props: {
  times: number[]
  lines: Line[]
  label: string
  format: (value: number | null | undefined) => string
  onZoom: (from: number, to: number) => void
  /** Somebody clicked on a line's name in the legend: it comes or goes. */
  onToggle?: (label: string) => void
  range: [from: number, to: number]
  /** Whether a line goes on where it has no point: series that are not sent at the same times. */
  spanGaps?: boolean
}) {
  const { times, lines, label, format, onZoom, onToggle, range, spanGaps = false } = props
  const ref = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot>(undefined)
  const zoom = useRef(onZoom)
  zoom.current = onZoom
  const toggle = useRef(onToggle)
  toggle.current = onToggle
  const drawn = useRef({ times, lines, range, format })
  drawn.current = { times, lines, range, format }
  const [from, to] = range
  const shape = lines
    .map(({ label, colour, width, fill, hidden }) => [label, colour, width, fill, hidden].join())
    .join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: the shape says what of the lines is not their values
  useEffect(() => {
    const box = ref.current
    if (box === null) return
    const make = () => {
      plot.current?.destroy()
      const style = getComputedStyle(box)
      const colour = (name: string) => resolved(box, style.getPropertyValue(name))
      const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
      const font = `11px ${style.fontFamily}`
      const { times, lines } = drawn.current
      const lineOf = (series: number) => drawn.current.lines[series - 1]
      plot.current = new uPlot(
        {
          width: Math.max(200, box.clientWidth),
          height: 240,
          legend: { live: true },
          cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
          scales: {
            x: { time: true, range: () => drawn.current.range },
            y: { range: (_u, min, max) => [Math.min(0, (min ?? 0) * 1.1), (max || 1) * 1.1] },
          },
          axes: [
            {
              ...axis,
              font,
              size: 34,
              space: labelSpace,
              values: (_u, times, _i, _space, step) => times.map(time => timeOf(time, step)),
            },
            { ...axis, font, size: 62, values: (_u, values) => values.map(value => drawn.current.format(value)) },
          ],
          series: [
            { value: (_u, value) => (value == null ? 'latest' : exactly(value * 1000)) },
            ...lines.map(line => ({
              label: line.label,
              stroke: colour(line.colour),
              width: line.width ?? 1.5,
              show: line.hidden !== true,
              spanGaps,
              ...(line.fill ? { fill: line.fill === 'solid' ? colour(line.colour) : faint(colour(line.colour)) } : {}),
              // A few are dots: one alone would be no line, and not be seen.
              points: {
                show: (_u: uPlot, series: number) => {
                  const { fill, values } = lineOf(series) ?? line
                  return fill !== 'solid' && values.filter(value => value !== null).length < 40
                },
                size: 5,
              },
              value: (_u: uPlot, value: number | null, series: number, at: number | null) => {
                const { own, values } = lineOf(series) ?? line
                // Where nobody points there is something to read nevertheless.
                if (at === null) return drawn.current.format((own ?? values).findLast(each => each !== null))
                return drawn.current.format(own === undefined ? value : own[at])
              },
            })),
          ],
          hooks: {
            setSeries: [
              (_u, at, { show }) => {
                const line = lines[(at ?? 0) - 1]
                if (line !== undefined && show !== undefined) toggle.current?.(line.label)
              },
            ],
            setSelect: [
              u => {
                if (u.select.width < 6) return
                const at = (x: number) => u.posToVal(x, 'x') * 1000
                zoom.current(at(u.select.left), at(u.select.left + u.select.width))
                u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
              },
            ],
          },
        },
        [times, ...lines.map(line => line.values)],
        box,
      )
    }
    make()
    const watch = new ResizeObserver(() =>
      plot.current?.setSize({ width: Math.max(200, box.clientWidth), height: 240 }),
    )
    watch.observe(box)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', make)
    window.addEventListener('themechange', make)
    return () => {
      watch.disconnect()
      dark.removeEventListener('change', make)
      window.removeEventListener('themechange', make)
      plot.current?.destroy()
      plot.current = undefined
    }
  }, [shape, spanGaps])

  // New values go into the chart that is there: who drags over it or reads a point of it is not disturbed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range is read when the values are set
  useEffect(() => {
    plot.current?.setData([times, ...lines.map(line => line.values)])
  }, [times, lines, from, to])
  return <div ref={ref} className="chart" role="img" aria-label={label} />
}

/** Room for a time under the chart, with its seconds, as the reader's language has it; pixels. */
const labelSpace = 86
const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const hourFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const exactFormat = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A time under the chart, as the reader's language has it: the day at midnight, or where days is all there is. */
function timeOf(seconds: number, step: number): string {
  const date = new Date(seconds * 1000)
  if (step >= 86_400 || (date.getHours() === 0 && date.getMinutes() === 0)) return dayFormat.format(date)
  return (step < 60 ? exactFormat : hourFormat).format(date)
}

const faint = (rgb: string) => rgb.replace('rgb(', 'rgba(').replace(')', ', 0.09)')

/** A colour as the canvas takes it: light-dark() is the style sheet's. */
function resolved(box: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  box.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
