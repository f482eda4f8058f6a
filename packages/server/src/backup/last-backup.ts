import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { asOwnerOf } from './files.ts'
import type { Manifest } from './manifest.ts'

/** When an instance was backed up last, for whoever asks how it is. */
export interface LastBackup {
  created_at: string
  path: string
  telemetry: boolean
}

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'last-backup.json')

/** A note beside the data. The backup is there without it, so nothing fails for it. */
export function noteBackup(config: Pick<Config, 'dataDir'>, path: string, { created_at, telemetry }: Manifest): void {
  if (!existsSync(config.dataDir)) return
  const note: LastBackup = { created_at, path, telemetry }
  const fresh = `${fileOf(config)}.new`
  try {
    asOwnerOf(config.dataDir, () => {
      rmSync(fresh, { force: true })
      writeFileSync(fresh, `${JSON.stringify(note)}\n`, { mode: 0o600, flag: 'wx' })
      renameSync(fresh, fileOf(config))
    })
  } catch {
    // A directory of somebody else's that may only be read.
  }
}

export function readLastBackup(config: Pick<Config, 'dataDir'>): LastBackup | undefined {
  try {
    const note = JSON.parse(readFileSync(fileOf(config), 'utf8'))
    return Number.isNaN(Date.parse(note.created_at)) ? undefined : note
  } catch {
    return undefined
  }
}
