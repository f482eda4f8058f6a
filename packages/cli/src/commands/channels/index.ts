import type { Verb } from '../../command.ts'
import { createChannel } from './create.ts'
import { deleteChannel } from './delete.ts'
import { channelDeliveries } from './deliveries.ts'
import { getChannel } from './get.ts'
import { listChannels } from './list.ts'
import { replayDelivery } from './replay.ts'
import { rotateChannelSecret } from './rotate-secret.ts'
import { testChannel } from './test.ts'
import { updateChannel } from './update.ts'

export const verbs: Verb[] = [
  listChannels,
  getChannel,
  createChannel,
  updateChannel,
  deleteChannel,
  testChannel,
  channelDeliveries,
  replayDelivery,
  rotateChannelSecret,
]
