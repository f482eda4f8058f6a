import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks a second in /proc (getconf CLK_TCK). */
const ticks = 100

/** CPU seconds that a process, and the children it has waited for, have used. */
export function cpuOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime, stime, cutime, cstime: fields 14 to 17 of proc(5).
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** `71,000 (68,200 to 73,900)`: the median of several rounds, and how far they lay apart. */
export function spread(values: number[], digits = 0): string {
  const text = (value: number) =>
    value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`
}

/** A program this benchmark needs and Watchpost does not. */
export function need(program: string, debianPackage: string): void {
  if (spawnSync('sh', ['-c', `command -v ${program}`]).status === 0) return
  console.error(`This benchmark needs ${program}: apt-get install ${debianPackage}`)
  process.exit(2)
}

export interface Load {
  url: string
  /** Whose CPU is counted. */
  pids: number[]
  connections: number
  seconds: number
  headers?: string[]
}

/**
 * Puts wrk on an address.
 * @returns requests answered for each CPU second of the server
 */
export async function requestsPerCpuSecond({ url, pids, connections, seconds, headers = [] }: Load): Promise<number> {
  const before = pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
  const args = [
    '-t',
    '1',
    '-c',
    String(connections),
    '-d',
    `${seconds}s`,
    ...headers.flatMap(header => ['-H', header]),
    url,
  ]
  const output = await outputOf('wrk', args)
  const cpu = pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - before
  const [, requests] = /(\d+) requests in/.exec(output) ?? []
  if (requests === undefined || /Non-2xx or 3xx|Socket errors/.test(output)) throw new Error(`${url}: ${output}`)
  return Number(requests) / cpu
}

async function outputOf(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout) output += chunk
  return output
}

/** A table as people read it and Markdown takes it. */
export function table(rows: string[][]): string {
  const widths = (rows[0] as string[]).map((_, column) => Math.max(...rows.map(row => (row[column] as string).length)))
  const lines = rows.map(row => `| ${row.map((cell, column) => cell.padEnd(widths[column] as number)).join(' | ')} |`)
  const rule = `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
