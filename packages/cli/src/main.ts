import { Command, CommanderError } from 'commander'
import { addExamples, addVerb, globalOptions, type Noun, nameVerb, type Outcome, type Verb } from './command.ts'
import { escapeText } from './escape.ts'
import { exitCodes } from './exit.ts'
import { formatHelp } from './help.ts'
import type { Io } from './io.ts'
import { wantsColour } from './io.ts'
import { version } from './version.ts'

/** A later noun is a folder in `commands/` and an entry here. Loaded only when it is named: start-up time counts. */
const nouns: Record<string, { summary: string; load: () => Promise<Noun> }> = {
  monitors: { summary: 'What is watched', load: () => import('./commands/monitors/index.ts') },
  incidents: {
    summary: 'What went wrong, and what is said of it',
    load: () => import('./commands/incidents/index.ts'),
  },
  maintenance: {
    summary: 'Work that is planned, and alerts nobody',
    load: () => import('./commands/maintenance/index.ts'),
  },
  'status-pages': {
    summary: 'Pages that show it to the public',
    load: () => import('./commands/status-pages/index.ts'),
  },
  channels: { summary: 'Where alerts go', load: () => import('./commands/channels/index.ts') },
  apps: { summary: 'Who sends telemetry', load: () => import('./commands/apps/index.ts') },
  probes: { summary: 'Where checks run', load: () => import('./commands/probes/index.ts') },
  tokens: { summary: 'API tokens', load: () => import('./commands/tokens/index.ts') },
  team: { summary: 'Your team and who is in it', load: () => import('./commands/team/index.ts') },
  audit: { summary: 'Who changed what', load: () => import('./commands/audit/index.ts') },
  context: { summary: 'Servers that are remembered', load: () => import('./commands/context/index.ts') },
}

/** Commands without a noun. */
const others: Record<string, { summary: string; load: () => Promise<{ verb: Verb }> }> = {
  top: { summary: 'All monitors live, full-screen', load: () => import('./commands/top.ts') },
  login: { summary: 'Remember a server and a token', load: () => import('./commands/login.ts') },
  whoami: { summary: 'Who the token is, and what it may do', load: () => import('./commands/whoami.ts') },
  usage: { summary: 'What an app has used of its quotas', load: () => import('./commands/usage.ts') },
  apply: { summary: 'Make the server as files say', load: () => import('./commands/apply.ts') },
  diff: { summary: 'What an apply of files would change', load: () => import('./commands/diff.ts') },
  export: { summary: 'Write what the server has as files', load: () => import('./commands/export.ts') },
  import: { summary: 'Convert what another program watches', load: () => import('./commands/import.ts') },
  backtest: { summary: 'What files would have reported', load: () => import('./commands/backtest.ts') },
  schema: { summary: 'JSON Schema of files, for editors', load: () => import('./commands/schema.ts') },
  api: { summary: 'Call any route of the API', load: () => import('./commands/api.ts') },
  completion: {
    summary: 'Print what makes a shell complete commands and ids',
    load: () => import('./commands/completion.ts'),
  },
}

/**
 * Runs `monitorctl`.
 * @param argv the words after the program's name
 * @returns the exit code; nothing is thrown
 */
export async function run(argv: string[], io: Io): Promise<number> {
  const dashes = argv.indexOf('--')
  const outcome: Outcome = { code: exitCodes.fine, command: dashes < 0 ? [] : argv.slice(dashes + 1) }
  try {
    if (argv[0] === '__complete') return await answerShell(argv.slice(1), io)
    const program = await buildProgram(argv, io, outcome)
    await unlessStopped(program.parseAsync(withHelp(program, argv), { from: 'user' }), io.signal, outcome)
    return (outcome.finishes === true ? undefined : interruption(io)) ?? outcome.code
  } catch (error) {
    return interruption(io) ?? (await report(error, io, outcome))
  }
}

/** `help monitors create` as `monitors create --help`; a word that is no command is left to be told so. */
function withHelp(program: Command, argv: string[]): string[] {
  const at = argv.indexOf('help')
  if (at < 0) return argv
  const path: string[] = []
  let command = program
  for (const word of [...argv.slice(0, at), ...argv.slice(at + 1).filter(each => !each.startsWith('-'))]) {
    const isVerb = command.commands.length === 0
    const next = command.commands.find(each => each.name() === word)
    // What follows a verb is its own: `help` as well, where that is what follows.
    if (path.length < at && next === undefined) return argv
    if (isVerb) break
    path.push(word)
    if (next === undefined) return path
    command = next
  }
  const isWord = path.length === at && command.commands.length === 0
  return isWord ? argv : [...path, '--help']
}

/** What the scripts of `completion` call; quiet whatever happens, since somebody is typing. */
async function answerShell(words: string[], io: Io): Promise<number> {
  try {
    const { complete } = await import('./completion/complete.ts')
    const line = words.slice(2).filter(word => word !== 'help')
    await complete(await buildProgram(line, io, { code: 0, command: [] }), words, io)
  } catch {
    // Nothing to offer.
  }
  return exitCodes.fine
}

/** Every noun with its verbs, for whoever looks at all of it. */
export function wholeProgram(io: Io): Promise<Command> {
  return buildProgram(['', ...Object.keys(nouns), ...Object.keys(others)], io, { code: 0, command: [] })
}

async function buildProgram(argv: string[], io: Io, outcome: Outcome): Promise<Command> {
  const program = new Command('monitorctl')
    .description('Watch and manage a Watchpost server.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .usage('<noun> <verb> [flags]')
    // Else the program would take `--url` from `channels create --url`.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: text => io.stdout.write(text),
      writeErr: text => io.stderr.write(text),
      outputError: (text, write) => write(`${oneLine(text)}\n`),
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
      getOutHasColors: () => wantsColour(io.stdout, io.env),
      getErrHasColors: () => wantsColour(io.stderr, io.env),
    })
    .configureHelp({ subcommandTerm: command => command.name(), formatHelp })
  for (const option of globalOptions()) program.addOption(option)
  program.commandsGroup('Nouns:')
  // Who says the noun first wants no other; all of them are for help, and for finding what was meant.
  const [first = ''] = argv
  const add = (parent: Command, verb: Verb) => {
    if (argv.includes(verb.name)) addVerb(parent, verb, io, outcome)
    else nameVerb(parent, verb)
  }
  const only = Object.hasOwn(nouns, first) || Object.hasOwn(others, first) ? first : undefined
  for (const [name, { summary, load }] of Object.entries(nouns)) {
    if (only !== undefined && name !== only) continue
    const noun = addNoun(program, name, summary)
    if (!argv.includes(name)) continue
    noun.commandsGroup('Verbs:')
    const { verbs, nouns: inner = {} } = await load()
    for (const verb of verbs) add(noun, verb)
    addExamples(noun, someOf(verbs))
    noun.commandsGroup('Nouns:')
    for (const [innerName, of] of Object.entries(inner)) {
      const under = addNoun(noun, innerName, of.summary)
      under.commandsGroup('Verbs:')
      for (const verb of of.verbs) add(under, verb)
      addExamples(under, someOf(of.verbs))
    }
  }
  program.commandsGroup('Others:')
  for (const [name, { summary, load }] of Object.entries(others)) {
    if (only !== undefined && name !== only) continue
    if (argv.includes(name)) addVerb(program, (await load()).verb, io, outcome)
    else nameVerb(program, { name, summary })
  }
  program.helpCommand('help [command]', 'Help for a command')
  addExamples(program, [
    'monitors list --status offline',
    'monitors create --name A --type https --target https://a.example',
    'monitors watch',
    'monitors --help',
  ])
  return program
}

/** The first example of each of a noun's first verbs. */
const someOf = (verbs: Verb[]) => verbs.slice(0, 4).flatMap(({ examples: [first] }) => first ?? [])

function addNoun(parent: Command, name: string, summary: string): Command {
  const noun = parent.command(name).summary(summary).description(`${summary}.`).usage('<verb> [flags]')
  for (const option of globalOptions()) noun.addOption(option)
  return noun
}

/** Commander puts its suggestion on a line of its own. */
function oneLine(text: string): string {
  return escapeText(text.trim().replaceAll(/\s*\n\s*/g, ' '))
}

async function report(error: unknown, io: Io, outcome: Outcome): Promise<number> {
  if (error instanceof CommanderError) {
    // Help that was asked for is fine; help because a word is missing is not.
    return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage
  }
  if (error instanceof Error && error.name === 'Interrupted') return exitCodes.interrupted
  const { failureOf } = await import('./failure.ts')
  const failure = failureOf(error, outcome.ran)
  io.stderr.write(`${failure.lines.map(line => escapeText(line)).join('\n')}\n`)
  if (io.env.WATCHPOST_DEBUG === '1' && error instanceof Error) io.stderr.write(`${error.stack}\n`)
  return failure.code
}

/** A command that is told to stop tidies up; one that waits for something else (a pipe, say) is left behind. */
async function unlessStopped(
  action: Promise<unknown>,
  signal: AbortSignal | undefined,
  outcome: Outcome,
): Promise<void> {
  if (signal === undefined) return void (await action)
  const grace = new AbortController()
  const leave = new Promise<void>(resolve => {
    const give = () => outcome.finishes !== true && setTimeout(resolve, 500)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true, signal: grace.signal })
  })
  try {
    await Promise.race([action, leave])
  } finally {
    grace.abort()
  }
}

function interruption(io: Io): number | undefined {
  return io.signal?.aborted === true ? Number(io.signal.reason) : undefined
}
