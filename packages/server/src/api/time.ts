/** Epoch ms as the wire has it: ISO 8601, UTC. */
export const iso = (at: number): string => new Date(at).toISOString()

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))
