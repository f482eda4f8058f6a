import first from './0001-first.ts'
import incidents from './0002-incidents.ts'
import channels from './0006-channels.ts'

/** In order; an entry that was released is never changed. */
export const migrations = [
  { id: 1, name: 'first', sql: first },
  { id: 2, name: 'incidents', sql: incidents },
  { id: 6, name: 'channels', sql: channels },
]
