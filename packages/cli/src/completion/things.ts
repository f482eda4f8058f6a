import type { RouteName } from '@watchpost/contract'
import { readContexts } from '../contexts.ts'
import type { Session } from '../session.ts'
import { sendForList } from '../verbs/send.ts'

/** What a candidate is, and what it means. */
export interface Candidate {
  value: string
  means: string
  /** A thing of the server's: found by its name, too. */
  thing?: boolean
}

/** Nobody waits longer for a completion. */
const patienceMs = 1500

/** Where the ids of a noun are listed. */
const lists: Record<string, RouteName> = {
  monitors: 'listMonitors',
  incidents: 'listIncidents',
  maintenance: 'listMaintenanceWindows',
  'status-pages': 'listStatusPages',
  channels: 'listChannels',
  apps: 'listApps',
  probes: 'listProbes',
  tokens: 'listTokens',
  members: 'listMembers',
  invitations: 'listInvitations',
}

/** Nouns by what an argument or a flag calls one: `<MONITOR_ID>`, `--status-page-id`. */
const nounsByWord: Record<string, string> = {
  MONITOR: 'monitors',
  PAGE: 'status-pages',
  STATUS_PAGE: 'status-pages',
  APP: 'apps',
  CHANNEL: 'channels',
  PROBE: 'probes',
  INCIDENT: 'incidents',
}

/** The noun whose ids `word` asks for: `ID` of the command's own noun, `MONITOR_ID` of that one. */
export function nounOfWord(word: string, noun: string): string | undefined {
  if (word === 'ID') return noun === 'usage' ? 'apps' : noun
  const found = /^(\w+)_ID$/.exec(word)
  return found === null ? undefined : nounsByWord[found[1] ?? '']
}

/** Ids of a noun with the names of what they are of. A server that cannot be asked now has none. */
export async function thingsOf(noun: string, session: Session): Promise<Candidate[]> {
  const route = lists[noun]
  if (route === undefined) return []
  try {
    const { data } = await sendForList<Named>(session.oneRound(patienceMs), route, { query: { per_page: 100 } })
    return data.map(row => ({ value: String(row.id), means: nameOf(row), thing: true }))
  } catch {
    return []
  }
}

/** Names of the contexts that are kept. */
export function contextsOf({ io }: Session): Candidate[] {
  try {
    return Object.entries(readContexts(io.env).contexts).map(([value, { url = '' }]) => ({ value, means: url }))
  } catch {
    return []
  }
}

interface Named {
  id: number
  name?: string
  title?: string
  email?: string
}

function nameOf({ name, title, email }: Named): string {
  return name ?? title ?? email ?? ''
}
