import type { Verb } from '../../command.ts'
import { listAuditLog } from './list.ts'

export const verbs: Verb[] = [listAuditLog]
