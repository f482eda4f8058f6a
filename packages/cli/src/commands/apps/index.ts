import type { Verb } from '../../command.ts'
import { createApp } from './create.ts'
import { deleteApp } from './delete.ts'
import { getApp } from './get.ts'
import { listApps } from './list.ts'
import { rotateApp } from './rotate.ts'
import { topUpApp } from './top-up.ts'
import { updateApp } from './update.ts'

export const verbs: Verb[] = [listApps, getApp, createApp, updateApp, rotateApp, topUpApp, deleteApp]
