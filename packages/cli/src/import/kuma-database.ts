import type { Raw } from './conversion.ts'
import type { Kuma } from './kuma.ts'

/** Columns whose names a backup writes otherwise. */
const called: Record<string, string> = {
  retry_interval: 'retryInterval',
  resend_interval: 'resendInterval',
  ignore_tls: 'ignoreTls',
  upside_down: 'upsideDown',
  invert_keyword: 'invertKeyword',
  expiry_notification: 'expiryNotification',
  packet_size: 'packetSize',
  json_path: 'jsonPath',
  json_path_operator: 'jsonPathOperator',
  expected_value: 'expectedValue',
  auth_method: 'authMethod',
  http_body_encoding: 'httpBodyEncoding',
  ip_family: 'ipFamily',
  footer_text: 'footerText',
  custom_css: 'customCSS',
}

/** Reads `kuma.db`, and nothing else of it; the file stays as it is. */
export async function readKumaDatabase(path: string): Promise<Kuma> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    // Tables and columns came over the years: what is not there is empty.
    const tables = new Set(
      database
        .prepare("select name from sqlite_master where type = 'table'")
        .all()
        .map(row => row.name),
    )
    const all = (table: string): Raw[] =>
      tables.has(table)
        ? database
            .prepare(`select * from "${table}"`)
            .all()
            .map(row => renamed(row as Raw))
        : []
    return gathered(all)
  } finally {
    database.close()
  }
}

function renamed(row: Raw): Raw {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [called[name] ?? name, value]))
}

function gathered(all: (table: string) => Raw[]): Kuma {
  const uses = all('monitor_notification')
  const tags = new Map(all('tag').map(tag => [tag.id, tag]))
  const tagged = all('monitor_tag')
  const grouped = all('monitor_group')
  const groups = all('group')
  const planned = all('monitor_maintenance')
  const byWeight = (a: Raw, b: Raw) => Number(a.weight ?? 0) - Number(b.weight ?? 0)
  return {
    monitorList: all('monitor').map(monitor => ({
      ...monitor,
      accepted_statuscodes: JSON.parse(String(monitor.accepted_statuscodes_json ?? '["200-299"]')),
      notificationIDList: Object.fromEntries(
        uses.filter(use => use.monitor_id === monitor.id).map(use => [String(use.notification_id), true]),
      ),
      tags: tagged.filter(use => use.monitor_id === monitor.id).flatMap(use => tags.get(use.tag_id) ?? []),
    })),
    notificationList: all('notification'),
    statusPageList: all('status_page').map(page => ({
      ...page,
      publicGroupList: groups
        .filter(group => group.status_page_id === page.id)
        .sort(byWeight)
        .map(group => ({
          name: group.name,
          monitorList: grouped
            .filter(each => each.group_id === group.id)
            .sort(byWeight)
            .map(each => ({ id: each.monitor_id })),
        })),
    })),
    maintenanceList: all('maintenance').map(window => ({
      ...window,
      monitorList: planned.filter(each => each.maintenance_id === window.id).map(each => ({ id: each.monitor_id })),
    })),
    serverTimezone: settingOf(all('setting'), 'serverTimezone'),
  }
}

/** Settings are held as JSON, and some that are old as they are. */
function settingOf(settings: Raw[], key: string): string | undefined {
  const value = settings.find(each => each.key === key)?.value
  return typeof value === 'string' && value !== '' ? value.replace(/^"(.*)"$/, '$1') : undefined
}
