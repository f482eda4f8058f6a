const en = {
  /** What Intl formats dates and numbers by. */
  locale: 'en-GB',

  allOperational: 'All systems operational',
  allWatchedOperational: 'All watched systems operational',
  allDown: 'All systems are down',
  someDown: 'Some systems are down',
  incidentOpen: 'Incident in progress',
  nothingWatched: 'No system is being watched right now',
  empty: 'Nothing is monitored here yet',
  emptyHint: 'Monitors appear on this page once they are added to it.',

  operational: 'Operational',
  down: 'Down',
  unknown: 'Not watched',
  maintenance: 'Maintenance',
  inMaintenance: 'In maintenance',
  groupPartial: 'Partly down',
  counts: {
    operational: (n: number) => `${n} operational`,
    down: (n: number) => `${n} down`,
    unknown: (n: number) => `${n} not watched`,
    maintenance: (n: number) => `${n} in maintenance`,
  },
  downOf: (n: number, total: number) => `${n} of ${total} down`,

  lastUpdated: 'Last updated',
  stale: 'This page could not be refreshed lately. It shows the state as of the time below.',
  lastCheck: 'Last check',
  neverChecked: 'No check yet',
  responseTime: 'Response time',

  uptime: 'uptime',
  overallUptime: 'Overall uptime',
  overDays: (days: number) => (days === 1 ? 'last day' : `last ${days} days`),
  daysAgo: (days: number) => (days === 1 ? '1 day ago' : `${days} days ago`),
  today: 'Today',
  noData: 'Not watched',
  noUptime: 'No data yet',
  historyOf: (name: string, days: number) => `Uptime of ${name}, ${days === 1 ? 'last day' : `last ${days} days`}`,
  wholePage: 'all monitors',
  troubledDays: (n: number) => (n === 1 ? '1 day with downtime' : `${n} days with downtime`),
  unwatchedDays: (n: number) => (n === 1 ? '1 day not watched' : `${n} days not watched`),
  untroubled: 'No downtime on any watched day',
  earlier: (n: number) => `and ${n} earlier`,
  legend: 'Key to the bars',
  levels: { up: 'No downtime', dip: 'Up 95% or more', fall: 'Up less than 95%', blank: 'Not watched' },

  openIncidents: 'Open incidents',
  recentIncidents: 'Recent incidents',
  noIncidents: 'No incidents to report.',
  affects: 'Affects',
  incidentStatus: {
    investigating: 'Investigating',
    identified: 'Identified',
    monitoring: 'Monitoring',
    resolved: 'Resolved',
  } as Record<string, string>,
  severity: { minor: 'Minor', major: 'Major', critical: 'Critical' } as Record<string, string>,

  runningMaintenance: 'Maintenance in progress',
  plannedMaintenance: 'Planned maintenance',
  maintenanceStatus: { active: 'In progress', scheduled: 'Planned' } as Record<string, string>,
  everything: 'everything on this page',
  andMore: (n: number) => `and ${n} more`,

  timesUtc: 'All dates and times are UTC.',
  madeWith: 'Status page by Watchpost',
}

/** Every word on the page. A translation is one more object of this shape in `languages`. */
export type Words = typeof en

const languages: Record<string, Words> = { en }

/** The words to use and the language they are in, which is English where there is no translation yet. */
export function wordsFor(language: string): { words: Words; spoken: string } {
  const words = Object.hasOwn(languages, language) ? languages[language] : undefined
  return words ? { words, spoken: language } : { words: en, spoken: 'en' }
}
