import first from './0001-first.ts'
import incidents from './0002-incidents.ts'
import accounts from './0005-accounts.ts'

/** In order; an entry that was released is never changed. */
export const migrations = [
  { id: 1, name: 'first', sql: first },
  { id: 2, name: 'incidents', sql: incidents },
  { id: 5, name: 'accounts', sql: accounts },
]
