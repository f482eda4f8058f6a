import { query } from './query.ts'

export interface StatusPageRow {
  team_id: number
  id: number
  slug: string
  title: string
  description: string | null
  is_public: number
  language: string
  show_history_days: number
  /** JSON object. */
  theme: string
  version: number
  created_at: number
  updated_at: number
}

export const statusPageColumns = {
  team_id: 'p.team_id',
  id: 'p.id',
  slug: 'p.slug',
  title: 'p.title',
  is_public: 'p.is_public',
  language: 'p.language',
  show_history_days: 'p.show_history_days',
  theme: 'p.theme',
  monitor_count: '(select count(*) from page_monitors a where a.team_id = p.team_id and a.page_id = p.id)',
}

export const statusPageById = query<StatusPageRow>(
  'statusPage.byId',
  'select * from status_pages where team_id = @team_id and id = @id',
)

export const statusPageBySlug = query<StatusPageRow>(
  'statusPage.bySlug',
  'select * from status_pages where slug = @slug',
)

export const insertStatusPage = query(
  'statusPage.insert',
  `insert into status_pages (team_id, id, slug, title, description, is_public, language, show_history_days, theme,
     version, created_at, updated_at)
   values (@team_id, @id, @slug, @title, @description, @is_public, @language, @show_history_days, @theme,
     @version, @created_at, @updated_at)
   on conflict (slug) do nothing
   returning id`,
)

export const updateStatusPage = query(
  'statusPage.update',
  `update status_pages set slug = @slug, title = @title, description = @description, is_public = @is_public,
     language = @language, show_history_days = @show_history_days, theme = @theme, version = version + 1,
     updated_at = @updated_at
   where team_id = @team_id and id = @id and version = @version
     and not exists (select 1 from status_pages o where o.slug = @slug and o.id <> @id)
   returning id`,
)

export const deleteStatusPage = [
  query('statusPage.delete', 'delete from status_pages where team_id = @team_id and id = @id'),
  query('statusPage.deleteAssignments', 'delete from page_monitors where team_id = @team_id and page_id = @id'),
  query('statusPage.deleteIncidents', 'delete from incident_pages where team_id = @team_id and page_id = @id'),
]

/** An active monitor, if any public page shows it. */
export interface PublicMonitorRow {
  team_id: number
  id: number
  name: string
  display_name: string | null
  interval_s: number
  timeout_s: number
  /** How many regions it is watched from; 0: by any probe. */
  regions: number
  created_at: number
  status: string
  last_check_at: number | null
  rolled_to: number
}
export const publicMonitor = query<PublicMonitorRow>(
  'monitor.public',
  `select m.team_id, m.id, m.name, a.display_name, m.interval_s, m.timeout_s, m.created_at, s.status, s.last_check_at, s.rolled_to,
     (select count(*) from monitor_regions r where r.team_id = m.team_id and r.monitor_id = m.id) as regions
   from monitors m
   join monitor_states s on s.team_id = m.team_id and s.monitor_id = m.id
   join page_monitors a on a.team_id = m.team_id and a.monitor_id = m.id
   join status_pages p on p.team_id = a.team_id and p.id = a.page_id and p.is_public = 1
   where m.id = @id and m.is_active = 1
   order by p.id limit 1`,
)

/** A public page that shows one of these monitors, or is one of these pages: where people read more. */
export const publicPageOf = query<{ slug: string }>(
  'page.publicOf',
  `select p.slug from status_pages p
   where p.team_id = @team_id and p.is_public = 1 and (p.id in (@page_ids...) or exists (
     select 1 from page_monitors a
     join monitors m on m.team_id = a.team_id and m.id = a.monitor_id and m.is_active = 1
     where a.team_id = p.team_id and a.page_id = p.id and a.monitor_id in (@monitor_ids...)))
   order by p.id limit 1`,
)
