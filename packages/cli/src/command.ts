import { type Command, Option } from 'commander'
import { addFlags, type Flag } from './flags.ts'
import { globalGroup } from './help.ts'
import type { Io } from './io.ts'
import type { OutputFormat } from './output.ts'
import { type GlobalFlags, Session } from './session.ts'
import { UsageError } from './usage-error.ts'

/** What a verb is called with. */
export interface Call {
  session: Session
  /** The words that are no flags, as far as they were given. */
  words: string[]
  /** The command's own flags, by commander's names. */
  given: Record<string, unknown>
  /** What the verb's own flags are made of. */
  flags: Flag[]
  /** The words after `--`: another program and what it is given. */
  command: string[]
}

/** One command: a file in `commands/<noun>/`, and a line in the noun's `index.ts`. */
export interface Verb {
  name: string
  summary: string
  description?: string
  /** `['<ID>', 'Id of the monitor']`. */
  words?: [usage: string, description: string][]
  /** Flags made from a schema of the contract: read when the verb is named, since start-up time counts. */
  flags?: () => Flag[]
  /** Heading of those flags in the help. */
  flagsAre?: string
  options?: () => Option[]
  /** What shows the things one of which was not found, from the words given; the noun's `list` if absent. */
  listedBy?: (words: string[]) => string
  /** Forms of `-o` that it has; all of them if absent. */
  forms?: OutputFormat[]
  /** Whole lines of what people type. */
  examples: string[]
  /** Told to stop, it still finishes what it began: the exit code is its own, however long that takes. */
  finishes?: boolean
  /** @returns exit code; 0 if none */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands have nothing to say but that they are done
  run(call: Call): Promise<number | void>
}

/** A noun's commands, and the nouns under it: `team members list`. */
export interface Noun {
  verbs: Verb[]
  nouns?: Record<string, { summary: string; verbs: Verb[] }>
}

/** Flags of every command. */
export function globalOptions(): Option[] {
  return [
    new Option('-o, --output <format>', 'table, json, yaml or name'),
    new Option('--url <url>', 'address of the server (WATCHPOST_URL)'),
    new Option('--token <token>', 'API token (WATCHPOST_TOKEN)'),
    new Option('--request-timeout <time>', 'bound on requests and retries (default 30s)'),
    new Option('--no-color', 'never colour'),
  ].map(option => option.helpGroup(globalGroup))
}

/** What became of the run, for `main` to turn into an exit code. */
export interface Outcome {
  code: number
  /** The words after `--`. */
  command: string[]
  /** The verb that ran is to be waited for, even by who is told to stop. */
  finishes?: boolean
  /** The verb that ran and its words, so that errors can name them and its flags. */
  ran?: { noun: string; line: string; listedBy: string | undefined; flags: Flag[]; given: Record<string, unknown> }
}

/** Adds the name of a verb, for help and for finding what was meant. */
export function nameVerb(parent: Command, { name, summary }: Pick<Verb, 'name' | 'summary'>): Command {
  return parent.command(name).summary(summary)
}

/** Adds the verb to the program or a noun. */
export function addVerb(parent: Command, verb: Verb, io: Io, outcome: Outcome): void {
  const flags = verb.flags?.() ?? []
  const command = nameVerb(parent, verb).description(verb.description ?? verb.summary)
  for (const [usage, description] of verb.words ?? []) command.argument(usage, description)
  addFlags(command, flags, `${verb.flagsAre ?? 'Fields'}:`)
  for (const option of verb.options?.() ?? []) command.addOption(option)
  // A field of the request beats a global flag of the same name: `channels create --url` is the channel's.
  const globals = globalOptions().filter(option => !command.options.some(own => own.long === option.long))
  for (const option of globals) command.addOption(option)
  addExamples(command, verb.examples)
  command.action(async () => {
    const nouns = nounsOf(parent)
    const line = [...nouns, verb.name, ...command.args].join(' ')
    outcome.finishes = verb.finishes === true && outcome.command.length > 0
    outcome.ran = {
      noun: nouns.join(' ') || parent.name(),
      line,
      listedBy: verb.listedBy?.(command.args),
      flags,
      given: command.opts(),
    }
    const session = new Session(io, globalFlags(command, globals))
    requireForm(session, verb.forms)
    const call = { session, words: command.args, given: command.opts(), flags, command: outcome.command }
    outcome.code = (await verb.run(call)) ?? 0
  })
}

/** A form that would be given the words of another one is refused; none asked for is the command's own. */
function requireForm({ flags, out }: Session, forms: Verb['forms']): void {
  if (forms === undefined || flags.output === undefined || forms.includes(out.format)) return
  throw new UsageError(`--output: has no form ${out.format} here; it is one of ${forms.join(', ')}`)
}

/** `team members`: the words between the program and the verb. */
function nounsOf(command: Command): string[] {
  return command.parent === null ? [] : [...nounsOf(command.parent), command.name()]
}

/** Examples at the end of a command's help. */
export function addExamples(command: Command, examples: string[]): void {
  command.addHelpText('after', `\nExamples:\n${examples.map(line => `  monitorctl ${line}`).join('\n')}`)
}

/** The global flags that were typed, the one nearest to the verb counting most. */
function globalFlags(command: Command, own: Option[]): GlobalFlags {
  const flags: Record<string, unknown> = {}
  const levels: { at: Command; options: readonly Option[] }[] = [{ at: command, options: own }]
  for (let at = command.parent; at !== null; at = at.parent) levels.push({ at, options: at.options })
  for (const { at, options } of levels.reverse()) {
    for (const option of options) {
      const name = option.attributeName()
      if (at.getOptionValueSource(name) === 'cli') flags[name] = at.getOptionValue(name)
    }
  }
  return flags
}
