import { type Plan, plans, type QuotaName, quotaNames, type Role, roles, type Scope, scopes } from '@watchpost/contract'
import { clearTeamQuota, type Db, setPlan, setTeamQuota, type TeamRow, teamById, teamsByName } from '@watchpost/store'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { makeToken } from './api/tokens.ts'
import { backupCommand, backupExamples } from './backup-command.ts'
import { bootstrap, createTeam, resetPassword } from './bootstrap.ts'
import { type Io, storage, withSettings } from './command-settings.ts'
import { type Config, type Given, OperatorError, readConfig, UsageError } from './config.ts'
import { doctorCommand, doctorExamples } from './doctor-command.ts'
import { firstStartBox } from './first-start-box.ts'
import { openStore } from './open-store.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'

/**
 * Runs `watchpost-server` to its end.
 * @returns exit code: 0 fine, 1 it cannot be done as things are, 2 the command line is wrong
 */
export async function run(argv: string[], io: Io): Promise<number> {
  try {
    const root = program(io)
    refuseUnknown(root, argv[0])
    await root.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    io.err(`watchpost-server: ${oneLine(error)}\n`)
    if (io.env.WATCHPOST_DEBUG === '1') io.err(`${(error as Error).stack}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Else it would be a word too many for `serve`, which is what runs without a command. */
function refuseUnknown(root: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return
  if (root.commands.some(command => command.name() === word)) return
  throw new UsageError(`unknown command '${word}'; "watchpost-server --help" lists them`)
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] as string
}

function program(io: Io): Command {
  const root = new Command('watchpost-server')
    .description('The control plane of Watchpost: API, status pages, alerts.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .showSuggestionAfterError()
    .addHelpText('after', examples)
  root.addCommand(serveCommand(io), { isDefault: true })
  root.addCommand(bootstrapCommand(io))
  root.addCommand(tokenCommand(io))
  root.addCommand(teamCommand(io))
  root.addCommand(quotaCommand(io))
  root.addCommand(planCommand(io))
  root.addCommand(passwordCommand(io))
  root.addCommand(migrateCommand(io))
  root.addCommand(backupCommand(io))
  root.addCommand(doctorCommand(io))
  for (const command of [...root.commands, ...root.commands.flatMap(each => each.commands)]) {
    command.copyInheritedSettings(root)
    const name = command.parent === root ? command.name() : `${command.parent?.name()} ${command.name()}`
    const lines = Object.entries(examplesOf).flatMap(([of, line]) => (`${of} `.startsWith(`${name} `) ? line : []))
    command.addHelpText('after', `\nExamples:\n${lines.map(line => `  watchpost-server ${line}\n`).join('')}`)
  }
  return root
}

const examples = `
Examples:
  watchpost-server serve --with-probe            everything on this machine, data in ./data
  watchpost-server bootstrap --json              first team, owner and API token
  watchpost-server serve --listen 0.0.0.0:8080   for probes elsewhere
  watchpost-server token create --team 1 --role admin --name rescue --json
`

/** By command; a noun has those of its verbs. */
const examplesOf: Record<string, string[]> = {
  serve: [
    'serve --with-probe',
    'serve --listen 0.0.0.0:8080 --public-url https://watch.example.com',
    'serve --database-url postgres://watchpost@db/watchpost --otlp-listen off',
  ],
  bootstrap: ['bootstrap --json', 'bootstrap --email ada@example.com --team Shop'],
  'token create': ['token create --team 1 --role admin --name rescue --json'],
  'team create': ['team create --name Shop --email ada@example.com'],
  'quota set': [
    'quota set --team Shop --quota otlp_spans --limit 5000000',
    'quota set --team Shop --quota otlp_spans --limit plan',
  ],
  'plan set': ['plan set --team Shop --plan business'],
  'password reset': ['password reset --email ada@example.com'],
  migrate: ['migrate --data-dir /var/lib/watchpost'],
  ...backupExamples,
  ...doctorExamples,
}

function serveCommand(io: Io): Command {
  const command = new Command('serve').description('serve the API, the status pages and the alerts (the default)')
  withSettings(command, ['listen', 'otlpListen', ...storage, 'publicUrl', 'logLevel', 'logFormat'])
  command.option('--with-probe', 'run a probe beside the server, as a process of its own')
  return command.action(async (given: Given & { withProbe?: boolean }) => {
    const config = readConfig(given, io.env, io.terminal)
    const withProbe = given.withProbe ?? io.env.WATCHPOST_WITH_PROBE === 'true'
    // Asked to stop while still starting: the start is finished first, so that all of it can be closed.
    const asked = stopSignal()
    const serving = await serve(config, withProbe)
    if (serving.firstTeam !== undefined) io.err(firstStartBox(serving.url, serving.firstTeam))
    io.out(`${JSON.stringify({ event: 'listening', url: serving.url, otlp_url: serving.otlpUrl })}\n`)
    await asked
    await serving.close()
  })
}

function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

function bootstrapCommand(io: Io): Command {
  const command = new Command('bootstrap').description('make the first team, its owner and an API token')
  withSettings(command, storage)
    .option('--email <email>', 'of the owner', 'owner@localhost')
    .option('--team <name>', 'name of the team', 'My team')
    .option('--json', 'print one JSON object')
  return command.action((given: Given & { email: string; team: string; json?: true }) =>
    withStore(io, given, async (db, { defaultPlan: plan }) =>
      printMade(io, await bootstrap(db, Date.now(), { email: given.email, name: given.team, plan }), given.json),
    ),
  )
}

function teamCommand(io: Io): Command {
  const create = new Command('create').description('make one more team, with an owner of its own')
  withSettings(create, storage)
    .requiredOption('--name <name>', 'name of the team')
    .requiredOption('--email <email>', 'of its owner')
    .option('--json', 'print one JSON object')
  create.action((given: Given & { email: string; name: string; json?: true }) =>
    withStore(io, given, async (db, { defaultPlan: plan }) =>
      printMade(io, await createTeam(db, Date.now(), { email: given.email, name: given.name, plan }), given.json),
    ),
  )
  return new Command('team').description('teams of this instance').addCommand(create)
}

function printMade(io: Io, made: object, json: true | undefined): void {
  const width = Math.max(...Object.keys(made).map(key => key.length)) + 2
  const lines = Object.entries(made).map(([key, value]) => `${key.padEnd(width)}${value}\n`)
  io.out(json ? `${JSON.stringify(made)}\n` : lines.join(''))
}

/** Opens the store for one command; it works beside a running server. */
async function withStore(io: Io, given: Given, work: (db: Db, config: Config) => Promise<void>): Promise<void> {
  const config = readConfig(given, io.env, false)
  const db = await openStore(config, { server: false })
  try {
    await work(db, config)
  } finally {
    await db.close()
  }
}

function tokenCommand(io: Io): Command {
  const create = new Command('create').description('make an API token on this machine, without one at hand')
  withSettings(create, storage)
    .requiredOption('--team <id-or-name>', 'team it is for')
    .addOption(new Option('--role <role>', 'what it may do').choices([...roles]).default('admin'))
    .requiredOption('--name <name>', 'what it is called')
    .option('--scope <scope>', `may be given again; known: ${scopes.join(', ')}`, collectScope, [])
    .option('--json', 'print one JSON object')
  type Options = Given & { team: string; role: Role; name: string; scope: Scope[]; json?: true }
  create.action((given: Options) =>
    withStore(io, given, async db => {
      const team = await findTeam(db, given.team)
      const token = { name: given.name, role: given.role, scopes: given.scope, expires_at: null, user_id: null }
      const made = await makeToken({ db, now: Date.now }, team.id, token)
      io.out(given.json ? `${JSON.stringify({ id: made.id, token: made.token })}\n` : `${made.token}\n`)
    }),
  )
  return new Command('token').description('API tokens, without the API').addCommand(create)
}

function quotaCommand(io: Io): Command {
  const set = new Command('set').description(
    'what each app of a team may use in a month, instead of what its plan says',
  )
  withSettings(set, storage)
    .requiredOption('--team <id-or-name>', 'team it is for')
    .addOption(new Option('--quota <quota>', 'of what').choices([...quotaNames]).makeOptionMandatory())
    .requiredOption(
      '--limit <number|none|plan>',
      'how much; none for any amount, plan for what the plan says',
      readLimit,
    )
  set.action((given: Given & { team: string; quota: QuotaName; limit: number | 'none' | 'plan' }) =>
    withStore(io, given, async db => {
      const { quota, limit } = given
      const key = { team_id: (await findTeam(db, given.team)).id, quota }
      const params = { ...key, quota_limit: limit === 'none' ? null : Number(limit) }
      await db.commit([limit === 'plan' ? { query: clearTeamQuota, params: key } : { query: setTeamQuota, params }])
      io.err(`The limit of ${quota} is ${limit === 'plan' ? "the plan's" : limit} for each app of the team.\n`)
    }),
  )
  return new Command('quota').description('monthly quotas of observability apps').addCommand(set)
}

function readLimit(text: string): number | 'none' | 'plan' {
  if (text === 'none' || text === 'plan') return text
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number, none or plan.')
  return Number(text)
}

function collectScope(text: string, before: Scope[]): Scope[] {
  const scope = scopes.find(known => known === text)
  if (scope === undefined) throw new InvalidArgumentError(`Known scopes: ${scopes.join(', ')}.`)
  return [...before, scope]
}

/** A team by name or id; a name that several have is no answer. */
async function findTeam(db: Db, text: string): Promise<TeamRow> {
  const named = await db.all(teamsByName, { name: text })
  if (named.length > 1) throw new UsageError(`${named.length} teams are called "${text}"; give the id instead`)
  const team = named[0] ?? (/^\d{1,15}$/.test(text) ? await db.one(teamById, { id: Number(text) }) : undefined)
  if (team === undefined) throw new OperatorError(`There is no team "${text}"`)
  return team
}

function passwordCommand(io: Io): Command {
  const reset = new Command('reset').description('give somebody who has lost theirs a new password, shown once')
  withSettings(reset, storage)
    .requiredOption('--email <email>', 'of their account')
    .option('--json', 'print one JSON object')
  reset.action((given: Given & { email: string; json?: true }) =>
    withStore(io, given, async db => printMade(io, await resetPassword(db, given.email), given.json)),
  )
  return new Command('password').description('passwords of people, without the old one').addCommand(reset)
}

function planCommand(io: Io): Command {
  const set = new Command('set').description('change what a team may have; a running server follows at once')
  withSettings(set, storage)
    .requiredOption('--team <id-or-name>', 'team it is for')
    .addOption(new Option('--plan <plan>', 'what it may have').choices([...plans]).makeOptionMandatory())
  set.action((given: Given & { team: string; plan: Plan }) =>
    withStore(io, given, async db => {
      const team = await findTeam(db, given.team)
      await db.commit([{ query: setPlan, params: { id: team.id, plan: given.plan } }])
      io.out(`${team.name} has the plan ${given.plan} now, before ${team.plan}.\n`)
    }),
  )
  return new Command('plan').description('plans of teams: how many status pages and probes').addCommand(set)
}

function migrateCommand(io: Io): Command {
  const command = new Command('migrate').description('bring the schema up to date; serve does it too')
  // Opening does it.
  return withSettings(command, storage).action((given: Given) =>
    withStore(io, given, async () => io.err('The schema is up to date.\n')),
  )
}
