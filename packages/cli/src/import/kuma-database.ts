import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
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

/**
 * Reads `kuma.db`, and nothing else of it; the file stays as it is.
 * @throws {Error} where it is no database, or not the whole of one
 */
export async function readKumaDatabase(path: string): Promise<Kuma> {
  const { DatabaseSync } = await import('node:sqlite')
  requireWhole(path)
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    // Tables and columns came over the years: what is not there is empty.
    const tables = new Set(
      database
        .prepare("select name from sqlite_master where type = 'table'")
        .all()
        .map(row => row.name),
    )
    if (!tables.has('monitor')) {
      throw new Error(
        "it holds no monitors' table; copy it anew, with the file ending in -wal that is beside it, if any",
      )
    }
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

/** SQLite reads what is missing of the last page as zeros. */
function requireWhole(path: string): void {
  // What is not in the file yet is in the log beside it.
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, header.length, 0)
    // 1 stands for what two bytes do not hold. Who wrote it last may not have kept the count: then both differ.
    const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
    const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92)
    if (isCounted && fstatSync(file).size < size * header.readUInt32BE(28)) throw new Error('it is cut off')
  } finally {
    closeSync(file)
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
