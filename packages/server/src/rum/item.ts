import { type RumType, rumTypes } from '@watchpost/contract'

/** An event as it is kept. */
export interface RumItem {
  /** In its request. */
  position: number
  type: number
  /** Under which it is known when it is sent again. */
  id: string | null
  session_id: string | null
  /** Epoch ms by our clock. */
  at: number
  page: string
  /** Of a vital which, of an error its fingerprint. */
  name: string
  value: number | null
  referrer: string | null
  /** The rest as JSON. */
  data: string
}

export const numberOf = Object.fromEntries(rumTypes.map((type, index) => [type, index])) as Record<RumType, number>
