import type { PlanWrite } from '@watchpost/contract'
import { Option } from 'commander'
import type { Call } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { type Loaded, loadFiles } from './load.ts'

/** `-f`, of every command that reads files of monitors, pages, channels and maintenance. */
export const filesOption = (): Option =>
  new Option('-f, --file <path...>', 'YAML or JSON files, folders of them, - for standard input; repeatable')

export const sourceOptions = (): Option[] => [
  new Option('--source <name>', 'who manages what the files make and change (default: monitorctl, or as a file says)'),
  new Option('--prune', 'delete what this source manages and the files no longer name'),
  new Option('--adopt', 'manage also what is as the files say already, or what another source manages'),
]

export async function loadGiven({ session, given }: Call): Promise<Loaded> {
  const paths = (given.file ?? []) as string[]
  if (paths.length === 0) throw new UsageError('-f: is required: a file or a folder')
  session.requireServer()
  return loadFiles(paths, session.io)
}

/** What the server is asked, from the files and the flags. */
export function askOf(loaded: Loaded, given: Record<string, unknown>): PlanWrite {
  const source = (given.source as string | undefined) ?? loaded.source
  const isMeant = loaded.emptied && source !== undefined
  if (given.prune === true && Object.keys(loaded.resources).length === 0 && !isMeant) {
    throw new UsageError(
      '--prune: the files name nothing at all, which would delete everything; is the path right? ' +
        'If it is meant, write "monitors: []" and name the source',
    )
  }
  return {
    resources: loaded.resources,
    ...(source === undefined ? {} : { source }),
    ...(given.prune === true ? { prune: true } : {}),
    ...(given.adopt === true ? { adopt: true } : {}),
    ...(loaded.secrets.length === 0 ? {} : { secrets: loaded.secrets }),
  }
}
