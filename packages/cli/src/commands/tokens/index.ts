import type { Verb } from '../../command.ts'
import { createToken } from './create.ts'
import { listTokens } from './list.ts'
import { revokeToken } from './revoke.ts'

export const verbs: Verb[] = [listTokens, createToken, revokeToken]
