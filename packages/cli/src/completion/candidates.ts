import { routes } from '@watchpost/contract'
import type { Command, Option } from 'commander'
import { globalGroup } from '../help.ts'
import { outputFormats } from '../output.ts'
import { shells } from './scripts.ts'
import { type Candidate, nounOfWord } from './things.ts'

/** What is asked for: words that are known here, ids of a noun of the server's, or files. */
export type Wanted = { known: Candidate[] } | { ids: string } | { contexts: true } | { files: true }

const nothing: Wanted = { known: [] }

/** What could stand after `words` where `current` is being typed; pure. */
export function wantedAfter(program: Command, words: string[], current: string): Wanted {
  const { command, loose, pending } = read(program, words)
  if (pending !== undefined) return valuesOf(pending, command)
  const given = /^(--[\w-]+)=/.exec(current)
  const option = given === null ? undefined : optionOf(command, given[1] ?? '')
  if (option !== undefined) return valuesOf(option, command)
  if (current.startsWith('-')) return { known: flagsOf(command) }
  if (words.includes('--')) return { files: true }
  if (command.commands.length > 0) return { known: commandsOf(command) }
  return argumentOf(command, loose)
}

interface ReadSoFar {
  command: Command
  /** Words that are neither commands nor flags. */
  loose: string[]
  /** A flag that waits for its value. */
  pending: Option | undefined
  /** The server that the words name, if they do. */
  server: { url?: string; token?: string }
}

/** The server that the line so far names; what a verb calls `--url` itself is none. */
export function serverOf(program: Command, words: string[]): { url?: string; token?: string } {
  return read(program, words).server
}

function read(program: Command, words: string[]): ReadSoFar {
  let command = program
  let pending: Option | undefined
  const loose: string[] = []
  const server: ReadSoFar['server'] = {}
  const heed = (option: Option | undefined, value: string) => {
    const name = option?.attributeName()
    if (option?.helpGroupHeading === globalGroup && (name === 'url' || name === 'token')) server[name] = value
  }
  for (const word of words) {
    if (pending !== undefined) {
      heed(pending, word)
      pending = undefined
    } else if (word.startsWith('-')) {
      const [, flag = word, value] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
      const option = optionOf(command, flag)
      if (value !== undefined) heed(option, value)
      else if (option?.required === true) pending = option
    } else {
      const next = command.commands.find(each => each.name() === word)
      if (next !== undefined) command = next
      // `help monitors` leads where `monitors` would.
      else if (!(command === program && word === 'help')) loose.push(word)
    }
  }
  return { command, loose, pending, server }
}

function optionOf(command: Command, word: string): Option | undefined {
  return command.options.find(({ long, short }) => long === word || short === word)
}

function commandsOf(command: Command): Candidate[] {
  const known = command.commands.map(each => ({ value: each.name(), means: each.summary() || each.description() }))
  return command.parent === null ? [...known, { value: 'help', means: 'Help for a command' }] : known
}

function flagsOf(command: Command): Candidate[] {
  const own = command.options
    .filter(({ long, hidden }) => !hidden && long !== undefined)
    .map(({ long, description }) => ({ value: long as string, means: description }))
  return [...own, { value: '--help', means: 'print help' }]
}

function valuesOf(option: Option, command: Command): Wanted {
  const { long, flags, description } = option
  if (long === '--output') return plain(outputFormats)
  if (long === '--file' || /<file>/.test(flags)) return { files: true }
  const id = /^--([\w-]+-id|monitor)$/.exec(long ?? '')?.[1]
  if (id !== undefined) return ids(`${id.replace(/-id$/, '').replaceAll('-', '_').toUpperCase()}_ID`, command)
  if (long === '--sort') return plain(fieldsOfSort(description).flatMap(field => [field, `-${field}`]))
  // What the contract allows; else the words that the help shows.
  const words = option.argChoices ?? wordsOf(description)
  return /\[bool\]/.test(flags) ? plain(['true', 'false']) : plain(words)
}

/** `… (one of online, offline; default …)`: made of the contract's words, so that is where they are read from. */
function wordsOf(description: string): string[] {
  const list = /\bone of ((?:[\w-]+, )*(?:or )?[\w-]+)/.exec(description)?.[1] ?? ''
  return list === '' ? [] : list.split(', ')
}

function fieldsOfSort(description: string): string[] {
  return (/descending: ([\w, ]+)/.exec(description)?.[1] ?? '').split(', ').filter(field => field !== '')
}

function argumentOf(command: Command, loose: string[]): Wanted {
  const next = command.registeredArguments[loose.length] ?? command.registeredArguments.find(each => each.variadic)
  if (next === undefined) return nothing
  if (next.name() === 'FILE') return { files: true }
  if (next.name() === 'SHELL') return plain(shells)
  if (next.name() === 'ROUTE')
    return { known: Object.entries(routes).map(([value, { summary }]) => ({ value, means: summary })) }
  if (next.name() === 'NAME' && command.parent?.name() === 'context') return { contexts: true }
  return ids(next.name(), command)
}

function ids(word: string, command: Command): Wanted {
  const noun = nounOfWord(word, command.parent?.parent === undefined ? command.name() : (command.parent?.name() ?? ''))
  return noun === undefined ? nothing : { ids: noun }
}

function plain(words: readonly string[]): Wanted {
  return { known: words.map(value => ({ value, means: '' })) }
}
