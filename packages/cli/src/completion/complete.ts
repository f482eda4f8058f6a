import type { Command } from 'commander'
import { escapeText } from '../escape.ts'
import type { Io } from '../io.ts'
import { Session } from '../session.ts'
import { serverOf, type Wanted, wantedAfter } from './candidates.ts'
import { type Candidate, contextsOf, thingsOf } from './things.ts'

/**
 * What a shell is told on Tab: a line for each candidate. Whatever goes wrong, it says nothing.
 * @param words the form (`bash`, `plain`, `zsh`, `fish`), the word being typed, and those before it
 */
export async function complete(program: Command, [form = '', current = '', ...words]: string[], io: Io): Promise<void> {
  const wanted = wantedAfter(program, words, current)
  if ('files' in wanted) return void io.stdout.write(':files\n')
  const [, flag = '', value = current] = /^(--[\w-]+=)(.*)$/s.exec(current) ?? []
  const found = (await candidatesOf(wanted, program, words, io))
    .filter(each => matches(each, value))
    .map(each => ({ ...each, value: flag + each.value }))
  const lines = found.map(each => lineOf(each, form, found.length))
  // bash would put what the ids have in common in the place of the name that was begun, were it not for a line like no other.
  if (form === 'bash' && found.length > 1 && found.some(({ value }) => !value.startsWith(current))) lines.push('…')
  io.stdout.write(lines.map(line => `${line}\n`).join(''))
}

async function candidatesOf(wanted: Wanted, program: Command, words: string[], io: Io): Promise<Candidate[]> {
  if ('known' in wanted) return wanted.known
  const session = new Session(io, serverOf(program, words))
  if ('contexts' in wanted) return contextsOf(session)
  return 'ids' in wanted ? thingsOf(wanted.ids, session) : []
}

function matches({ value, means, thing }: Candidate, typed: string): boolean {
  if (value.startsWith(typed)) return true
  return thing === true && typed !== '' && means.toLowerCase().includes(typed.toLowerCase())
}

function lineOf({ value, means, thing }: Candidate, form: string, count: number): string {
  const said = escapeText(means)
  if (form === 'zsh' || form === 'fish') return said === '' ? value : `${value}\t${said}`
  // bash has no place for explanations, but a number alone says nothing; a single one is put in as it is.
  return form === 'bash' && thing === true && count > 1 ? `${value}  (${said})` : value
}
