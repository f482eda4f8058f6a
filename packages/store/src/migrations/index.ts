import first from './0001-first.ts'
import incidents from './0002-incidents.ts'
import rollups from './0003-rollups.ts'
import checks from './0004-checks.ts'
import accounts from './0005-accounts.ts'
import channels from './0006-channels.ts'
import maintenance from './0007-maintenance.ts'
import apps from './0008-apps.ts'
import idempotency from './0009-idempotency.ts'
import eventStream from './0010-event-stream.ts'
import regions from './0011-regions.ts'
import servers from './0012-servers.ts'
import narrowRollups from './0013-narrow-rollups.ts'
import telemetry from './0014-telemetry.ts'
import rum from './0016-rum.ts'
import managed from './0017-managed.ts'
import statusPages from './0018-status-pages.ts'
import audit from './0019-audit.ts'
import series from './0020-series.ts'
import collation from './0021-collation.ts'

/** In order; an entry that was released is never changed. */
export const migrations = [
  { id: 1, name: 'first', sql: first },
  { id: 2, name: 'incidents', sql: incidents },
  { id: 3, name: 'rollups', sql: rollups },
  { id: 4, name: 'checks', sql: checks },
  { id: 5, name: 'accounts', sql: accounts },
  { id: 6, name: 'channels', sql: channels },
  { id: 7, name: 'maintenance', sql: maintenance },
  { id: 8, name: 'apps', sql: apps },
  { id: 9, name: 'idempotency', sql: idempotency },
  { id: 10, name: 'event stream', sql: eventStream },
  { id: 11, name: 'regions', sql: regions },
  { id: 12, name: 'servers', sql: servers },
  { id: 13, name: 'narrow rollups', sql: narrowRollups },
  { id: 14, name: 'telemetry', sql: telemetry },
  { id: 16, name: 'rum', sql: rum },
  { id: 17, name: 'managed', sql: managed },
  { id: 18, name: 'status pages', sql: statusPages },
  { id: 19, name: 'audit', sql: audit },
  { id: 20, name: 'series', sql: series },
  { id: 21, name: 'collation', sql: collation },
]
