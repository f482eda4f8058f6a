import type { CheckTypeName } from '@watchpost/contract'
import type { CheckType } from './check-type.ts'
import { dns } from './dns.ts'
import { http, https } from './http.ts'
import { ping } from './ping.ts'
import { ssl } from './ssl.ts'
import { tcp } from './tcp.ts'

/** The list: a word added to `checkTypes` in the contract does not compile until it has its line here. */
export const checkTypes: Record<CheckTypeName, CheckType> = { http, https, ping, tcp, ssl, dns }
