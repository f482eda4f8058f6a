import { peekSqlite } from '@watchpost/store'
import { appKeyPurpose } from '../api/apps.ts'
import { openSettings } from '../channels/settings.ts'
import { createKeyring } from '../secrets.ts'

/**
 * Whether a key opens what an instance has sealed.
 * @param isCopy whether nothing may be written beside the file
 * @returns undefined where nothing is sealed yet
 */
export function opensSealed(file: string, key: string, isCopy: boolean): boolean | undefined {
  const keyring = createKeyring(key)
  const channel = peekSqlite<{ team_id: number; id: number; settings: string }>(
    file,
    'select team_id, id, settings from channels order by id desc limit 1',
    isCopy,
  )
  if (channel !== undefined) return opens(() => openSettings(keyring, channel))
  const app = peekSqlite<{ team_id: number; id: number; api_key: string }>(
    file,
    'select team_id, id, api_key from apps order by id desc limit 1',
    isCopy,
  )
  return app && opens(() => keyring.open(app.api_key, appKeyPurpose(app, 'api_key')))
}

function opens(open: () => unknown): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
