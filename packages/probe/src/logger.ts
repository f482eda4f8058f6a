import { type Logger, pino } from 'pino'

export type { Logger }

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export const logFormats = ['json', 'pretty'] as const
export type LogFormat = (typeof logFormats)[number]

export interface LoggerOptions {
  level: LogLevel
  format: LogFormat
  /** Name of this probe, in every line. */
  name: string
  /** Takes whole lines, newline included. */
  write: (text: string) => void
}

/** The probe's log: one line an event, as JSON or as plain text for people. */
export function createLogger({ level, format, name, write }: LoggerOptions): Logger {
  const options = {
    level,
    base: { probe: name },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  }
  return pino(options, { write: format === 'json' ? write : line => write(plainLine(line)) })
}

function plainLine(line: string): string {
  const { time, level, msg, probe: _, ...rest } = JSON.parse(line) as Record<string, unknown>
  const fields = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${time} ${String(level).toUpperCase().padEnd(5)} ${msg}${fields.join('')}\n`
}
