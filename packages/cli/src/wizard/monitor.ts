import { ApiError, type CheckTypeName, checkTypes, type Monitor } from '@watchpost/contract'
import { ask } from '../ask.ts'
import type { Call } from '../command.ts'
import { milliseconds, monitorView } from '../format/monitors.ts'
import { pause } from '../pause.ts'
import type { Session } from '../session.ts'
import { isPassing } from '../watch/poll.ts'
import { nameFor, typeFor, typeOf } from './guess.ts'
import { targetFault } from './judge.ts'

// A probe looks at once at what is new; one that is away is not waited for.
const patienceMs = 20_000

interface Answers {
  target: string
  type: string
  name: string
  interval: string
}

type Question = keyof Answers

/** Asks for what a monitor needs, makes it, and says how its first check went. */
export async function makeMonitor({ session }: Call): Promise<number | undefined> {
  const { out } = session
  session.requireServer()
  out.note('A new monitor: enter takes what is in brackets, Ctrl-C or Ctrl-D leaves without making one.')
  const answers: Answers = { target: '', type: '', name: '', interval: '' }
  let open: Question[] = ['target', 'type', 'name', 'interval']
  for (;;) {
    for (const question of open) answers[question] = await askFor(question, answers, session)
    try {
      const { target, type, name, interval } = answers
      const body = { target, type, name, interval: Number(interval) } as never
      const { data, message } = await session.client.createMonitor({ body })
      out.note(`${message}. Its first check…`)
      const seen = await firstCheck(data, session)
      await sayHow(seen, session)
      await out.item(seen, monitorView)
      return undefined
    } catch (error) {
      const wrong = error instanceof ApiError ? Object.entries(error.errors) : []
      open = (Object.keys(answers) as Question[]).filter(question => wrong.some(([field]) => field === question))
      // What is wrong must be something that can be asked again.
      if (open.length === 0 || open.length < wrong.length) throw error
      for (const [field, text] of wrong) out.note(`  ${field}: ${text}`)
    }
  }
}

async function askFor(question: Question, answers: Answers, session: Session): Promise<string> {
  const { io, out } = session
  switch (question) {
    case 'target':
      return askTarget(answers, undefined, session)
    case 'type': {
      const guess = typeFor(answers.target)
      for (;;) {
        const text = await ask(`Type: ${checkTypes.join(', ')} [${guess}]: `, io)
        const type = text === '' ? guess : typeOf(text)
        if (type === undefined) {
          out.note(`  "${text}" is none of them`)
          continue
        }
        const fault = await targetFault(answers.target, type, session)
        if (fault !== undefined) {
          out.note(`  target: ${fault}`)
          answers.target = await askTarget(answers, type, session)
        }
        return type
      }
    }
    case 'name': {
      const guess = answers.name || nameFor(answers.target)
      return (await ask(`Name [${guess}]: `, io)) || guess
    }
    case 'interval':
      for (;;) {
        const text = (await ask('Seconds between checks [60]: ', io)) || '60'
        if (/^\d+$/.test(text)) return text
        out.note(`  must be a whole number, not "${text}"`)
      }
  }
}

/** Judged as soon as it is typed: nobody should answer all the rest first. */
async function askTarget(answers: Answers, type: CheckTypeName | undefined, session: Session): Promise<string> {
  const before = answers.target === '' ? '' : ` [${answers.target}]`
  for (;;) {
    const text = (await ask(`What to watch (a URL, host:port or host)${before}: `, session.io)) || answers.target
    if (text === '') continue
    const fault = await targetFault(text, type, session)
    if (fault === undefined) return text
    session.out.note(`  target: ${fault}`)
  }
}

/** The monitor once somebody has looked, or as it is when nobody did in time. */
async function firstCheck(made: Monitor, session: Session): Promise<Monitor> {
  const until = performance.now() + patienceMs
  let monitor = made
  while (String(monitor.status) === 'pending' && monitor.last_check_at === null && performance.now() < until) {
    await pause(500, session.io.signal)
    try {
      monitor = (await session.oneRound().getMonitor({ params: { id: made.id } })).data
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
  return monitor
}

async function sayHow(monitor: Monitor, session: Session): Promise<void> {
  const { out } = session
  const { id, last_check_at, response_time_ms } = monitor
  if (last_check_at === null) return out.note('Nobody has looked yet; "monitorctl probes list" shows who could.')
  const { data } = await session.oneRound().listMonitorChecks({ params: { id }, query: { per_page: 1 } })
  const [check] = data
  if (String(check?.status) === 'online') return out.note(`It answers, in ${milliseconds(response_time_ms)}.`)
  const why = [check?.error_kind, check?.error_message].filter(part => part != null).join(': ')
  out.note(`It does not answer yet${why === '' ? '' : `: ${why}`}. The monitor is kept, and looked at again.`)
}
