import { ApiError } from '@watchpost/contract'
import { Option } from 'commander'
import { canAsk } from '../ask.ts'
import type { Call, Verb } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { askOf, filesOption, loadGiven, sourceOptions } from '../files/ask.ts'
import { withPlaces } from '../files/faults.ts'
import { planSummary, planText } from '../format/plan.ts'
import { confirm } from '../verbs/confirm.ts'

export const verb: Verb = {
  name: 'apply',
  summary: 'Make the server as files say',
  description:
    'Make monitors, status pages, channels and maintenance as files say: all of it or nothing. Shows what changes and ' +
    `asks first on a terminal. Values may be \${NAME} or \${NAME:-default} from the environment; those whose name says ` +
    `TOKEN, SECRET, PASSWORD or KEY, and those written as { secret: \${NAME} }, are never shown.`,
  options: () => [
    filesOption(),
    new Option('--dry-run', 'only show what would change'),
    ...sourceOptions(),
    new Option('-y, --yes', 'do not ask'),
  ],
  examples: [
    'apply -f monitoring/ --dry-run',
    'apply -f shop.yaml -f pages.yaml --yes',
    'apply -f monitoring/ --source shop.git --prune --yes',
    'apply -f - < shop.yaml',
  ],
  run: apply,
}

async function apply(call: Call): Promise<number> {
  const { session, given } = call
  const { out, io } = session
  const loaded = await loadGiven(call)
  const body = askOf(loaded, given)
  const { data: plan } = await withPlaces(loaded, () => session.client.planResources({ body }))
  const nothing = plan.changes.length === 0
  if (out.format === 'table') {
    out.text(planText(plan, out.colour))
    if (nothing || given.dryRun === true) {
      out.line(planSummary(plan))
      return exitCodes.fine
    }
  }
  if (given.dryRun === true) {
    await out.serialise(plan)
    return exitCodes.fine
  }
  // To delete is never agreed to by saying nothing.
  if (!nothing && given.yes !== true && (canAsk(io) || plan.summary.delete > 0)) {
    if (!(await confirm(`${planSummary(plan)} Apply?`, io))) {
      out.note('Nothing changed.')
      return exitCodes.bad
    }
  }
  // A budget of its own: a person may have thought about it for long.
  const { data: done } = await withPlaces(loaded, () =>
    session.lastWord().applyResources({ body: { ...body, plan_token: plan.plan_token } }),
  ).catch(explained)
  if (out.format === 'table') out.line(planSummary(done))
  else if (out.format === 'name') for (const { key } of done.changes) out.line(key)
  else await out.serialise(done)
  return exitCodes.fine
}

function explained(error: unknown): never {
  if (error instanceof ApiError && error.code === 'conflict') {
    throw new ApiError(
      'conflict',
      'something was changed on the server since the plan was made; nothing was applied, run it again',
    )
  }
  throw error
}
