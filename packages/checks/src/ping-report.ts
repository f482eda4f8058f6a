/** What came back of the packets sent to one address. Milliseconds; null where none came back. */
export interface PingReport {
  lossPercent: number
  received: number
  min: number | null
  average: number | null
  max: number | null
  deviation: number | null
  /** What somebody on the way, or this host, said instead of an answer. */
  remark?: string
}

/** Sums up the round trips of the packets that were answered, out of as many as were sent. */
export function pingReport(roundTrips: readonly number[], sent: number): PingReport {
  const received = roundTrips.length
  const lossPercent = round(((sent - received) / sent) * 100)
  if (received === 0) return { lossPercent, received, min: null, average: null, max: null, deviation: null }
  const average = roundTrips.reduce((sum, ms) => sum + ms, 0) / received
  const variance = roundTrips.reduce((sum, ms) => sum + (ms - average) ** 2, 0) / received
  return {
    lossPercent,
    received,
    min: Math.min(...roundTrips),
    average: round(average),
    max: Math.max(...roundTrips),
    deviation: round(Math.sqrt(variance)),
  }
}

const round = (number: number) => Math.round(number * 1000) / 1000
