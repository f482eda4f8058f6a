import type { ChannelRow } from '@watchpost/store'
import type { Keyring } from '../secrets.ts'
import { type ChannelSettings, channelPurpose } from './channel.ts'

type Sealed = Pick<ChannelRow, 'team_id' | 'id' | 'settings'>

/** @throws when the instance key is another one */
export function openSettings<S extends ChannelSettings>(keyring: Keyring, { team_id, id, settings }: Sealed): S {
  return JSON.parse(keyring.open(settings, channelPurpose(team_id, id)))
}

export function sealSettings(
  keyring: Keyring,
  { team_id, id }: Omit<Sealed, 'settings'>,
  settings: ChannelSettings,
): string {
  return keyring.seal(JSON.stringify(settings), channelPurpose(team_id, id))
}

/** Said where settings cannot be opened. */
export const unreadable = 'The settings of the channel cannot be read; is WATCHPOST_INSTANCE_KEY another one?'
