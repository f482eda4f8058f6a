import { asList, type Conversion, type Raw } from './conversion.ts'

/**
 * Converts maintenance that happens once.
 * @param made names of the monitors that each of theirs became
 * @param serverZone what a window without a zone of its own goes by
 */
export function convertMaintenance(
  conversion: Conversion,
  raw: Raw,
  made: Map<number, string[]>,
  serverZone: string | undefined,
): void {
  const what = `maintenance ${String(raw.id)} "${String(raw.title)}"`
  const own = raw.timezone === 'SAME_AS_SERVER' || raw.timezone == null ? undefined : String(raw.timezone)
  const zone = own ?? serverZone
  const clock = clockOf(zone ?? 'UTC')
  const [start, end] = [raw.start_date, raw.end_date].map(date => instant(String(date), clock))
  if (raw.strategy !== 'single' || start === undefined || end === undefined) {
    conversion.note(what, `of kind ${String(raw.strategy)}: plan it with "maintenance create", times need a zone`)
    return
  }
  if (end < Date.now()) return
  const monitors = asList(raw.monitorList).flatMap(({ id }) => made.get(Number(id)) ?? [])
  if (monitors.length === 0) {
    conversion.note(what, 'is about no monitor that was converted; left out')
    return
  }
  if (zone === undefined) conversion.mind(what, 'its times are taken as UTC; see whether they are')
  else if (clock === undefined) conversion.mind(what, `its time zone ${zone} is unknown; its times are taken as UTC`)
  const [starts_at, ends_at] = [new Date(start).toISOString(), new Date(end).toISOString()]
  conversion.maintenance.push({ name: String(raw.title), monitors, starts_at, ends_at })
}

function clockOf(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    // Swedes write 2099-05-01 22:00:00.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  } catch {
    return undefined
  }
}

/** When a clock shows this, if it is a time; the clock of UTC if there is none. */
function instant(shown: string, clock: Intl.DateTimeFormat | undefined): number | undefined {
  const asUtc = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`)
  const wanted = asUtc(shown)
  if (Number.isNaN(wanted)) return undefined
  if (clock === undefined) return wanted
  const offsetAt = (time: number) => asUtc(clock.format(time)) - time
  // The clock may have been changed between the two.
  return wanted - offsetAt(wanted - offsetAt(wanted))
}
