import type { Verb } from '../../command.ts'
import { createChannel } from './create.ts'
import { deleteChannel } from './delete.ts'
import { listChannels } from './list.ts'

export const verbs: Verb[] = [listChannels, createChannel, deleteChannel]
