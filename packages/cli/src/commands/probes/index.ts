import type { Verb } from '../../command.ts'
import { createProbe } from './create.ts'
import { deleteProbe } from './delete.ts'
import { getProbe } from './get.ts'
import { listProbes } from './list.ts'

export const verbs: Verb[] = [listProbes, getProbe, createProbe, deleteProbe]
