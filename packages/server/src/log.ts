import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** Logs go to standard error: standard output is for what scripts read. */
export function createLog(config: Pick<Config, 'logLevel' | 'logFormat'>) {
  const options = { level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }
  if (config.logFormat === 'json') return pino(options, pino.destination({ dest: 2, sync: true }))
  return pino(options, pretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' }))
}
