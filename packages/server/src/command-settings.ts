import { type Command, Option } from 'commander'
import { type SettingName, settings } from './config.ts'

/** The streams and the environment of a run; the process's own, or a test's. */
export interface Io {
  env: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
  terminal: boolean
}

/** Gives a command the flags of some settings. */
export function withSettings(command: Command, names: SettingName[]): Command {
  for (const name of names) {
    const { flag, env, default: otherwise, meaning } = settings[name] as (typeof settings)['listen']
    const shown = otherwise === undefined ? '' : `, default ${otherwise}`
    command.addOption(new Option(flag, `${meaning} (${env}${shown})`))
  }
  return command
}

/** What every command takes. */
export const storage: SettingName[] = ['dataDir', 'databaseUrl']
