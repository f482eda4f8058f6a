import { query } from './query.ts'

export interface ProbeRow {
  team_id: number
  id: number
  name: string
  region: string
  version: string | null
  created_at: number
  last_seen_at: number | null
}

export const probeColumns = 'team_id, id, name, region, version, created_at, last_seen_at'

export const probeByHash = query<ProbeRow>('probe.byHash', `select ${probeColumns} from probes where hash = @hash`)

export const probeById = query<ProbeRow>(
  'probe.byId',
  `select ${probeColumns} from probes where team_id = @team_id and id = @id and deleted_at is null`,
)

export const insertProbe = query(
  'probe.insert',
  `insert into probes (team_id, id, name, region, hash, created_at)
   values (@team_id, @id, @name, @region, @hash, @created_at)`,
)

/** The row stays, so that the history it wrote keeps its name and region; the token goes. */
export const deleteProbe = query(
  'probe.delete',
  `update probes set deleted_at = @at, hash = null
   where team_id = @team_id and id = @id and deleted_at is null`,
)

/** Gives up all that a probe holds; nothing is left to tell it. */
export const releaseProbe = [
  query(
    'probe.release',
    'update monitor_states set lease_until = 0 where lease_probe_id = @probe_id and lease_until > @at',
  ),
  query(
    'probe.releaseRegions',
    'update monitor_regions set lease_until = 0 where lease_probe_id = @probe_id and lease_until > @at',
  ),
  query('probe.forgetLost', 'delete from lost_leases where probe_id = @probe_id and lost_until > @at'),
]

/** Flushed every few seconds, not per request. */
export const touchProbe = query(
  'probe.touch',
  'update probes set last_seen_at = @at, version = @probe_version where team_id = @team_id and id = @id',
)

/** It asks for checks: from now on it has a share of them. Written every few seconds, with a commit that is due anyway. */
export const polledProbe = query(
  'probe.polled',
  `update probes set last_seen_at = @at, polls_ahead = cast(@ahead as smallint)
   where team_id = @team_id and id = @probe_id`,
)

/** Probes heard from in the last while. */
export interface HeardProbe {
  team_id: number
  id: number
  region: string
  last_seen_at: number
  polls_ahead: number
}
export const heardProbes = query<HeardProbe>(
  'probe.heard',
  `select team_id, id, region, last_seen_at, polls_ahead from probes
   where deleted_at is null and last_seen_at > @since order by id`,
)
