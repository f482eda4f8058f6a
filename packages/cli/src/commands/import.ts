import { open } from 'node:fs/promises'
import { Option } from 'commander'
import type { Call, Verb } from '../command.ts'
import { writeResources } from '../files/write.ts'
import { convertBlackbox } from '../import/blackbox.ts'
import { asList, type Conversion, type Judge, type Raw } from '../import/conversion.ts'
import { convertGatus } from '../import/gatus.ts'
import { convertKuma, type Kuma } from '../import/kuma.ts'
import { mindSecrets } from '../import/secrets.ts'
import { UsageError } from '../usage-error.ts'
import { isObject, readSource } from '../verbs/body.ts'

const origins = ['uptime-kuma', 'gatus', 'blackbox'] as const

export const verb: Verb = {
  name: 'import',
  summary: 'Convert what another program watches',
  description:
    'Convert the configuration of another program to YAML for "apply", on standard output; what could not be mapped is ' +
    'listed on standard error. Changes nothing, and asks no server. Reads the backup (JSON) or the kuma.db of Uptime ' +
    'Kuma, the YAML of Gatus, and the modules of a blackbox_exporter with the Prometheus file that names its targets.',
  words: [['<FILE>', 'what the other program is configured by']],
  options: () => [
    new Option('--from <program>', `one of ${origins.join(', ')}`),
    new Option('--targets <file>', 'blackbox: the scrape file of Prometheus'),
  ],
  forms: ['json', 'yaml'],
  examples: [
    'import --from uptime-kuma kuma.db > monitoring.yaml',
    'import --from gatus config.yaml | monitorctl diff -f -',
    'import --from blackbox blackbox.yml --targets prometheus.yml > monitoring.yaml',
  ],
  async run(call) {
    const conversion = await convert(call)
    const keepsVariables = call.given.from === 'gatus'
    mindSecrets(conversion, keepsVariables)
    const { out } = call.session
    const { monitors, channels, status_pages } = conversion
    if (monitors.length === 0 && channels.length === 0) out.note('Nothing could be converted.')
    await writeResources(call.session, conversion.resources, [], keepsVariables)
    for (const note of conversion.notes) out.note(note)
    out.note(
      `Converted ${monitors.length} monitors, ${channels.length} channels, ${status_pages.length} status pages; ` +
        `${conversion.notes.length} remarks.`,
    )
  },
}

async function convert({ session, words, given }: Call): Promise<Conversion> {
  const file = words[0] as string
  const judge = await judgeOf(given.from === 'gatus')
  switch (given.from) {
    case 'uptime-kuma':
      return convertKuma(await readKuma(file, session.io), judge)
    case 'gatus':
      return convertGatus(await readYaml(file, session.io, 'endpoints', withBraces), judge)
    case 'blackbox': {
      if (given.targets === undefined) {
        throw new UsageError('--targets: is required for blackbox: the Prometheus file that names what it looks at')
      }
      const modules = await readYaml(file, session.io, 'modules')
      return convertBlackbox(modules, await readYaml(String(given.targets), session.io, 'scrape_configs'), judge)
    }
    default:
      throw new UsageError(
        `--from: must be one of ${origins.join(', ')}${given.from === undefined ? '' : `, not "${String(given.from)}"`}`,
      )
  }
}

/**
 * What the server will say of a monitor.
 * @param keepsVariables of a field with `${NAME}` in it nobody can say anything yet
 */
async function judgeOf(keepsVariables: boolean): Promise<Judge> {
  // What judges takes as long to load as all the rest.
  const { validateCheck } = await import('@watchpost/checks/validate')
  return monitor => {
    const isOpen = (field: string) => {
      const value = field === 'target' ? monitor.target : monitor.options?.[field.replace('options.', '')]
      return keepsVariables && /\$\{\w+\}/.test(JSON.stringify(value) ?? '')
    }
    return Object.fromEntries(Object.entries(validateCheck(monitor)).filter(([field]) => !isOpen(field)))
  }
}

type Io = Call['session']['io']

async function readKuma(file: string, io: Io): Promise<Kuma> {
  if (await isDatabase(file)) {
    const { readKumaDatabase } = await import('../import/kuma-database.ts')
    return readKumaDatabase(file).catch(error => {
      throw new UsageError(`${file}: cannot be read as a database: ${(error as Error).message}`)
    })
  }
  let held: unknown
  try {
    held = JSON.parse(await readSource(file, io))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${file}: is neither a backup (JSON) nor a database of Uptime Kuma`)
  }
  if (!isObject(held) || !('monitorList' in held)) throw new UsageError(`${file}: has no monitorList`)
  const listed = (value: unknown): Raw[] => (isObject(value) ? (Object.values(value) as Raw[]) : asList(value))
  return { monitorList: listed(held.monitorList), notificationList: listed(held.notificationList) }
}

async function isDatabase(file: string): Promise<boolean> {
  if (file === '-') return false
  const handle = await open(file).catch(error => {
    throw new UsageError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  })
  try {
    const { buffer } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1').startsWith('SQLite format 3')
  } finally {
    await handle.close()
  }
}

/** Gatus fills in $NAME, too, and writes a dollar as two. */
function withBraces(text: string): string {
  return text.replaceAll(/\$\$(?!\{)|\$([A-Za-z_]\w*)/g, (_, name) => (name === undefined ? '$' : `\${${name}}`))
}

async function readYaml(
  file: string,
  io: Io,
  heading: string,
  prepared: (text: string) => string = text => text,
): Promise<Raw> {
  const text = prepared(await readSource(file, io))
  const { parse } = await import('yaml')
  let held: unknown
  try {
    held = parse(text, { merge: true })
  } catch (error) {
    throw new UsageError(`${file}: ${(error as Error).message.split('\n')[0]}`)
  }
  if (!isObject(held) || (!(heading in held) && !(heading === 'endpoints' && 'services' in held))) {
    throw new UsageError(`${file}: has no ${heading}`)
  }
  return held
}
