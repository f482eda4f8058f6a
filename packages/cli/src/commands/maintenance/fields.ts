import { routes, type Weekday, weekdays } from '@watchpost/contract'
import { Option } from 'commander'
import { parseSeconds } from '../../duration.ts'
import { type Flag, flagsOf } from '../../flags.ts'
import { UsageError, wrongFlags } from '../../usage-error.ts'
import type { Body } from '../../verbs/body.ts'

/** Fields that people call otherwise than the API does. */
const called: Record<string, Partial<Flag>> = {
  monitor_ids: { name: '--monitor' },
  duration: {
    name: '--for',
    kind: 'string',
    description: 'How long it lasts, such as 10m, 2h or 1d, instead of --ends-at.',
  },
}

/** Flags of a maintenance window; how it comes again has options of its own. */
export const maintenanceFlags = (): Flag[] =>
  flagsOf(routes.createMaintenanceWindow.body)
    .filter(flag => flag.field !== 'recurrence')
    .map(flag => ({ ...flag, ...called[flag.field] }))

export const recurrenceOptions = (): Option[] =>
  [
    new Option('--daily', 'it comes again every day'),
    new Option('--weekly [days]', 'every week, on days such as mon,thu; by default on that of its start'),
    new Option('--monthly [day]', 'every month, on a day such as 31, which is the last; or that of its start'),
    new Option('--every <number>', 'only every so many days, weeks or months'),
    new Option('--until <time>', 'it does not start after this'),
  ].map(option => option.helpGroup('Fields:'))

/** What was given, as the API has it: `--for 10m` in seconds, `--weekly mon` as a rule. */
export function maintenanceBody(body: Body, given: Record<string, unknown>): Body {
  const { duration, ...rest } = body
  const recurrence = recurrenceOf(given)
  return {
    ...rest,
    ...(duration === undefined ? {} : { duration: parseSeconds(duration as string | number, '--for') }),
    ...(recurrence === undefined ? {} : { recurrence }),
  }
}

function recurrenceOf({
  daily,
  weekly,
  monthly,
  every,
  until,
  once,
}: Record<string, unknown>): Body | null | undefined {
  const chosen = [daily, weekly, monthly, once].filter(each => each !== undefined).length
  if (chosen > 1) throw new UsageError('give one of --daily, --weekly, --monthly and --once')
  if (once === true) return null
  if (chosen === 0) {
    if (every === undefined && until === undefined) return undefined
    throw new UsageError('--every and --until say more of --daily, --weekly or --monthly; give that, too')
  }
  return {
    ...(daily === undefined ? {} : { frequency: 'daily' }),
    ...(weekly === undefined ? {} : { frequency: 'weekly', ...(weekly === true ? {} : { weekdays: daysOf(weekly) }) }),
    ...(monthly === undefined ? {} : { frequency: 'monthly' }),
    ...(monthly === undefined || monthly === true ? {} : { day_of_month: whole(monthly, '--monthly') }),
    ...(every === undefined ? {} : { interval: whole(every, '--every') }),
    ...(until === undefined ? {} : { until }),
  }
}

function daysOf(given: unknown): Weekday[] {
  return String(given)
    .split(',')
    .map(text => {
      const word = text.trim().toLowerCase()
      const day = weekdays.find(each => word.length >= 3 && each.startsWith(word))
      if (day === undefined) throw wrongFlags({ '--weekly': `must be days such as mon,thu, not "${given}"` })
      return day
    })
}

function whole(given: unknown, flag: string): number {
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < 1)
    throw wrongFlags({ [flag]: `must be a whole number, not "${given}"` })
  return number
}
