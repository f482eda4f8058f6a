import { publicPageOf } from '@watchpost/store'
import type { Context } from '../context.ts'

/** The public status page where people read more, if one shows what an event is about and the instance has an address. */
export async function linkOf(
  { db, config }: Pick<Context, 'db' | 'config'>,
  team_id: number,
  data: { monitor_id?: number; monitor_ids?: number[]; status_page_ids?: number[] },
): Promise<string | null> {
  if (config.publicUrl === undefined) return null
  const monitor_ids = data.monitor_ids ?? (data.monitor_id === undefined ? [] : [data.monitor_id])
  const page_ids = data.status_page_ids ?? []
  const page = await db.one(publicPageOf, { team_id, monitor_ids, page_ids })
  return page === undefined ? null : `${config.publicUrl}/status/${page.slug}`
}
