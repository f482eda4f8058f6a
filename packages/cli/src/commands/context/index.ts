import { Option } from 'commander'
import type { Call, Verb } from '../../command.ts'
import { type Contexts, readContexts, writeContexts } from '../../contexts.ts'
import { exitCodes } from '../../exit.ts'
import { contextView, type ShownContext } from '../../format/contexts.ts'
import { UsageError } from '../../usage-error.ts'
import { confirm } from '../../verbs/confirm.ts'

const listContexts: Verb = {
  name: 'list',
  summary: 'List the servers that are remembered',
  examples: ['context list'],
  async run({ session }) {
    const data = shown(readContexts(session.io.env))
    const meta = { total: data.length, page: 1, per_page: Math.max(1, data.length), total_pages: 1 }
    await session.out.list(data, meta, contextView)
  },
}

const useContext: Verb = {
  name: 'use',
  summary: 'Talk to this server from now on',
  words: [['<NAME>', 'name of the context']],
  examples: ['context use watch.example.com'],
  async run({ session, words }) {
    const { name, kept } = named(session.io.env, words)
    writeContexts(session.io.env, { ...kept, current: name })
    session.out.note(`From now on: ${name}.`)
  },
}

const deleteContext: Verb = {
  name: 'delete',
  summary: 'Forget a server and its token',
  words: [['<NAME>', 'name of the context']],
  options: () => [new Option('-y, --yes', 'do not ask')],
  examples: ['context delete watch.example.com', 'context delete lab --yes'],
  async run({ session, words, given }) {
    const { name, kept } = named(session.io.env, words)
    if (given.yes !== true && !(await confirm(`Forget context "${name}" and its token?`, session.io))) {
      session.out.note('Nothing deleted.')
      return exitCodes.bad
    }
    const { [name]: _, ...contexts } = kept.contexts
    const current = kept.current === name || kept.current === undefined ? {} : { current: kept.current }
    writeContexts(session.io.env, { ...current, contexts })
    await session.out.gone(`Context "${name}" is forgotten; its token still works until it is revoked.`)
  },
}

export const verbs: Verb[] = [listContexts, useContext, deleteContext]

function shown({ current, contexts }: Contexts): ShownContext[] {
  return Object.entries(contexts).map(([name, { url }]) => ({ name, url: url ?? null, current: name === current }))
}

function named(env: Call['session']['io']['env'], words: string[]): { name: string; kept: Contexts } {
  const name = words[0] ?? ''
  const kept = readContexts(env)
  if (!Object.hasOwn(kept.contexts, name)) {
    throw new UsageError(`NAME: there is no context "${name}"; "monitorctl context list" shows what there is`)
  }
  return { name, kept }
}
