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

/** A probe as it is shown to a team: with its monitor, and what its latest heartbeat said. */
export interface ProbeView extends ProbeRow {
  /** 1: the instance's own, which serves every team. */
  shared: number
  monitor_id: number | null
  heartbeat_at: number | null
  started_at: number | null
  host: string | null
  work: string | null
}
export const probeViewColumns = {
  team_id: 'p.team_id',
  shared: 'case when p.team_id = 0 then 1 else 0 end',
  id: 'p.id',
  name: 'p.name',
  region: 'p.region',
  version: 'p.version',
  created_at: 'p.created_at',
  last_seen_at: 'p.last_seen_at',
  monitor_id: 'm.id',
  heartbeat_at: 'h.at',
  started_at: 'h.started_at',
  host: 'h.host',
  work: 'h.work',
}
export const probeViewFrom = `probes p
  left join monitors m on m.probe_id = p.id and m.team_id = @team_id
  left join heartbeats h on h.team_id = p.team_id and h.probe_id = p.id`

const viewColumns = Object.entries(probeViewColumns).map(([name, expression]) => `${expression} as ${name}`)

export const probeByHash = query<ProbeRow>('probe.byHash', `select ${probeColumns} from probes where hash = @hash`)

export const probeById = query<ProbeView>(
  'probe.byId',
  `select ${viewColumns.join(', ')} from ${probeViewFrom}
   where p.team_id in (@team_id, 0) and p.id = @id and p.deleted_at is null`,
)

export const insertProbe = query(
  'probe.insert',
  `insert into probes (team_id, id, name, region, hash, created_at, watched)
   values (@team_id, @id, @name, @region, @hash, @created_at, @watched)`,
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

/** Flushed every few seconds, not per request; a replica may come later than one that has seen it since. */
export const touchProbe = query(
  'probe.touch',
  `update probes set version = @probe_version, last_seen_at =
     case when last_seen_at > cast(@at as bigint) then last_seen_at else cast(@at as bigint) end
   where team_id = @team_id and id = @id`,
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
