import type { ChannelType } from '@watchpost/contract'
import { type Config, settings } from '../config.ts'
import type { ChannelKind } from './channel.ts'
import { createDiscord } from './discord.ts'
import { createEmail } from './email.ts'
import { createSlack } from './slack.ts'
import { createTelegram } from './telegram.ts'
import { createWebhook } from './webhook.ts'

export type Channels = Record<ChannelType, ChannelKind>

/** Every kind of channel, as the instance allows it. */
export function createChannels(config: Pick<Config, 'channelPrivate' | 'mailServer' | 'telegramUrl'>): Channels {
  const policy = { private: config.channelPrivate }
  // A Bot API of one's own is the operator's choice, and may be on this host.
  const own = config.telegramUrl !== settings.telegramUrl.default
  const telegram = createTelegram(own ? { private: 'allow' } : policy, config.telegramUrl)
  const email = createEmail(config.mailServer)
  return { webhook: createWebhook(policy), email, slack: createSlack(policy), telegram, discord: createDiscord(policy) }
}
