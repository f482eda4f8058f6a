import type { AddressPolicy } from '@watchpost/checks'
import type { ChannelType } from '@watchpost/contract'
import type { ChannelKind } from './channel.ts'
import { createWebhook } from './webhook.ts'

/** Every kind of channel. @param policy addresses that channels may go to */
export function createChannels(policy: AddressPolicy): Record<ChannelType, ChannelKind> {
  return { webhook: createWebhook(policy) }
}
