import type { MaintenanceWindow } from '@watchpost/contract'
import { runChild } from '../../child.ts'
import type { Call, Verb } from '../../command.ts'
import { maintenanceView } from '../../format/maintenance.ts'
import { UsageError, wrongFlags } from '../../usage-error.ts'
import { type Body, fieldsOf, readBody, requireFields } from '../../verbs/body.ts'
import { createVerb } from '../../verbs/create.ts'
import { maintenanceBody, maintenanceFlags, recurrenceOptions } from './fields.ts'

/** What pages call it where the work itself is all there is to say. */
const defaultTitle = 'Maintenance'

const plain = createVerb<MaintenanceWindow>({
  route: 'createMaintenanceWindow',
  view: maintenanceView,
  flags: maintenanceFlags,
  options: recurrenceOptions,
  body: (body, given) => withEnd(maintenanceBody(body, given)),
  summary: 'Plan maintenance, or run a command within it',
  examples: [
    'maintenance create --title "New disks" --monitor 7 --for 2h',
    'maintenance create --title Reboot --all-monitors --weekly sun \\\n      --starts-at 2026-12-06T03:00:00+01:00 --time-zone Europe/Berlin --for 30m',
    'maintenance create -f window.yaml -o json',
    'maintenance create --monitor 7 --for 10m -- ./deploy.sh production',
  ],
})

export const createMaintenanceWindow: Verb = {
  ...plain,
  description:
    'Plan maintenance: nobody is alerted meanwhile, pages show it, uptime does not count it. With a command after ' +
    '--, it starts now and ends when the command does, after --for at the latest; the exit code is the command’s.',
  words: [['[COMMAND...]', 'after --: runs in a window of its own, without a shell']],
  finishes: true,
  async run(call) {
    if (call.words.length > call.command.length) {
      throw new UsageError(`unexpected word "${call.words[0]}"; quote a title of several words, put a command after --`)
    }
    return call.command.length === 0 ? plain.run(call) : runWithin(call)
  },
}

/** A window around a command: it ends when the command does, and by itself should this program not live to see it. */
async function runWithin({ session, given, flags, command }: Call): Promise<number> {
  const { io, out } = session
  const fields = await readBody(flags, given, io, fieldsOf('createMaintenanceWindow'))
  const body = { title: defaultTitle, ...withEnd(maintenanceBody(fields, given)) }
  requireFields(flags, body)
  if ('starts_at' in body || 'recurrence' in body) {
    throw new UsageError('a window around a command starts now, and once: leave out --starts-at and what repeats it')
  }
  const from = performance.now()
  const { data: window } = await session.client.createMaintenanceWindow({ body: body as never })
  out.note(`Maintenance window ${window.id} "${window.title}" is active until ${window.ends_at} at the latest.`)
  try {
    return await runChild(command, io)
  } finally {
    await end(session, window, performance.now() - from)
  }
}

async function end(session: Call['session'], window: MaintenanceWindow, elapsedMs: number): Promise<void> {
  const { id, starts_at, ends_at } = window
  // By the server's clock and our stopwatch: ours may show another time.
  const over = Date.parse(starts_at) + Math.max(1, Math.round(elapsedMs))
  if (over >= Date.parse(ends_at)) return session.out.note(`Maintenance window ${id} ended before the command did.`)
  try {
    const body = { ends_at: new Date(over).toISOString() }
    await session.lastWord().updateMaintenanceWindow({ params: { id }, body })
    session.out.note(`Maintenance window ${id} has ended.`)
  } catch (error) {
    // What the command did counts, not this; the window ends by itself.
    session.out.note(
      `Maintenance window ${id} could not be ended, and lasts until ${ends_at}: ${(error as Error).message}`,
    )
  }
}

function withEnd(body: Body): Body {
  if (body.ends_at === undefined && body.duration === undefined) {
    throw wrongFlags({ '--for': 'is required, or --ends-at' })
  }
  return body
}
