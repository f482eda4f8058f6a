import type { Verb } from '../command.ts'
import { canOpenScreen } from '../io.ts'
import { UsageError } from '../usage-error.ts'

export const verb: Verb = {
  name: 'top',
  summary: 'All monitors live, full-screen: sort, filter, open, pause, acknowledge',
  description:
    'All monitors live, full-screen: sort, filter, open one, pause it, acknowledge its incident; ? shows the keys. ' +
    'Follows the events of the server. Needs a terminal; elsewhere "monitors watch" prints a line for each change.',
  examples: ['top', 'top --no-color'],
  async run({ session }) {
    session.requireServer()
    if (session.flags.output !== undefined) throw new UsageError('--output: top is a screen; try "monitors list"')
    if (!canOpenScreen(session.io)) {
      throw new UsageError('top needs a terminal; "monitorctl monitors watch" prints a line for each change')
    }
    const { Live } = await import('../top/live.ts')
    const live = await Live.open(session)
    const { openTop } = await import('../screens/open-top.tsx')
    return openTop(session, live)
  },
}
