import { setTimeout as sleep } from 'node:timers/promises'
import { maintenanceChangesSince, maintenanceWindowsOf, monitorsOfMaintenance } from '@watchpost/store'
import { type KeptWindow, keptWindows } from '../api/maintenance-windows.ts'
import type { Context } from '../context.ts'
import { type Standing, standingAt } from '../domain/maintenance.ts'

/** How long a change that another replica made may stay unseen. */
const pollMs = 400

/**
 * The maintenance windows of all teams, in memory: every result asks whether one covers it, and most teams have none. A
 * change of this process is known before it is answered, one of another replica within a second.
 */
export class KnownWindows {
  private readonly context: Pick<Context, 'changes' | 'db' | 'log'>
  private readonly teams = new Map<number, OfTeam>()
  private readonly stopping = new AbortController()
  private seen = 0
  private reading: Promise<void> = Promise.resolve()
  private running: Promise<void> | undefined

  constructor(context: Pick<Context, 'changes' | 'db' | 'log'>) {
    this.context = context
  }

  /** Resolves once every window is known. */
  async start(): Promise<void> {
    await this.refresh()
    this.running = this.loop()
  }

  async stop(): Promise<void> {
    this.stopping.abort()
    await this.running
  }

  /** Whether a window covers a monitor at a moment. */
  covers(team_id: number, monitor_id: number, at: number): boolean {
    const team = this.teams.get(team_id)
    if (team === undefined) return false
    const covering = (known: KnownWindow) => known.at(at).current !== null
    return team.everywhere.some(covering) || team.byMonitor.get(monitor_id)?.some(covering) === true
  }

  /** Which of a team's monitors are covered at a moment, as the list of monitors asks for it. */
  covered(team_id: number, at: number): { all_covered: number; covered_ids: number[] } {
    const team = this.teams.get(team_id)
    const current = team?.all.filter(known => known.at(at).current !== null).map(({ window }) => window) ?? []
    return {
      all_covered: Number(current.some(window => window.all_monitors)),
      covered_ids: current.flatMap(window => window.monitor_ids),
    }
  }

  /** A team's windows, each with where it stands at a moment. */
  standing(team_id: number, at: number): (Standing & { window: KeptWindow })[] {
    return (this.teams.get(team_id)?.all ?? []).map(known => ({ window: known.window, ...known.at(at) }))
  }

  /** Knows, once this resolves, everything that was committed before it was called. */
  refresh(): Promise<void> {
    const reading = this.reading.catch(() => undefined).then(() => this.read())
    this.reading = reading
    return reading
  }

  private async read(): Promise<void> {
    const { db } = this.context
    const changes = await db.all(maintenanceChangesSince, { seen: this.seen })
    if (changes.length === 0) return
    const team_ids = changes.map(({ team_id }) => team_id)
    const [rows, links] = await Promise.all([
      db.all(maintenanceWindowsOf, { team_ids }),
      db.all(monitorsOfMaintenance, { team_ids }),
    ])
    const windows = Map.groupBy(keptWindows(rows, links), ({ team_id }) => team_id)
    for (const team_id of team_ids) {
      const found = windows.get(team_id)
      if (found === undefined) this.teams.delete(team_id)
      else this.teams.set(team_id, ofTeam(found.map(window => new KnownWindow(window))))
      // Pages computed between the commit and now have not seen it.
      this.context.changes.happened(team_id)
    }
    this.seen = Math.max(this.seen, ...changes.map(({ value }) => value))
  }

  private async loop(): Promise<void> {
    let troubled = false
    while (!this.stopping.signal.aborted) {
      await sleep(pollMs, undefined, { signal: this.stopping.signal }).catch(() => undefined)
      if (this.stopping.signal.aborted) return
      try {
        await this.refresh()
        troubled = false
      } catch (error) {
        // What is known holds on; it is said once, not each time.
        if (!troubled) this.context.log.error({ err: error }, 'maintenance windows cannot be read; trying again')
        troubled = true
      }
    }
  }
}

/** A team's windows, by what a result asks for. */
interface OfTeam {
  all: KnownWindow[]
  everywhere: KnownWindow[]
  byMonitor: Map<number, KnownWindow[]>
}

function ofTeam(all: KnownWindow[]): OfTeam {
  const byMonitor = new Map<number, KnownWindow[]>()
  for (const known of all) {
    for (const id of known.window.monitor_ids) {
      const others = byMonitor.get(id)
      if (others === undefined) byMonitor.set(id, [known])
      else others.push(known)
    }
  }
  return { all, everywhere: all.filter(known => known.window.all_monitors), byMonitor }
}

/** A window, and where it stood when somebody asked: calendars and time zones cost too much to ask for every result. */
class KnownWindow {
  readonly window: KeptWindow
  private from = Number.POSITIVE_INFINITY
  private until = Number.NEGATIVE_INFINITY
  private standing: Standing = { current: null, next: null }

  constructor(window: KeptWindow) {
    this.window = window
  }

  at(moment: number): Standing {
    if (moment >= this.from && moment < this.until) return this.standing
    const standing = standingAt(this.window, moment)
    const until = standing.current?.ends_at ?? standing.next?.starts_at ?? Number.POSITIVE_INFINITY
    // A late result must not push out what all the others ask for.
    if (until >= this.until) {
      this.from = standing.current?.starts_at ?? moment
      this.until = until
      this.standing = standing
    }
    return standing
  }
}
