import type { Verb } from '../../command.ts'
import { createProbe } from './create.ts'
import { deleteProbe } from './delete.ts'
import { listProbes } from './list.ts'

export const verbs: Verb[] = [listProbes, createProbe, deleteProbe]
