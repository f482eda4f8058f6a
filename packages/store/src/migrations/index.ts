import first from './0001-first.ts'

/** In order; an entry that was released is never changed. */
export const migrations = [{ id: 1, name: 'first', sql: first }]
