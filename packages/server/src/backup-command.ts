import { Command } from 'commander'
import { bytesOf, createBackup } from './backup/create.ts'
import { sizeText } from './backup/files.ts'
import { type Manifest, manifestName } from './backup/manifest.ts'
import { Progress, type ProgressWords, StoppedError } from './backup/progress.ts'
import { restoreBackup } from './backup/restore.ts'
import { verifyBackup } from './backup/verify.ts'
import { type Io, storage, withSettings } from './command-settings.ts'
import { type Given, OperatorError, readConfig } from './config.ts'
import { keyName } from './instance-key.ts'

/** By command, as `main.ts` has those of the others. */
export const backupExamples = {
  'backup create': [
    'backup create /backups/watchpost-$(date +%F) --data-dir /var/lib/watchpost',
    'backup create /mnt/usb/watchpost --without-telemetry',
  ],
  'backup verify': ['backup verify /backups/watchpost-2026-11-22'],
  'backup restore': ['backup restore /backups/watchpost-2026-11-22 --data-dir /var/lib/watchpost'],
}

/** Backups: of a running server, and brought back into another. */
export function backupCommand(io: Io): Command {
  const command = new Command('backup').description('copy this instance while it runs, and bring a copy back')
  return command.addCommand(create(io)).addCommand(verify(io)).addCommand(restore(io))
}

function create(io: Io): Command {
  const command = new Command('create')
    .description('copy everything into a new directory; the server may be running')
    .argument('[path]', 'where the backup will be, default ./watchpost-backup-<now>')
  withSettings(command, storage)
    .option('--without-telemetry', 'leave out traces, logs and metrics, by far the largest part')
    .option('--without-key', 'leave out the instance key, which opens the secrets of channels and apps')
    .option('--json', 'print one JSON object')
  type Options = Given & { withoutTelemetry?: true; withoutKey?: true; json?: true }
  return command.action(async (given: string | undefined, options: Options) => {
    const config = readConfig(options, io.env, false)
    const path = given ?? `watchpost-backup-${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}`
    const wish = { path, withTelemetry: !options.withoutTelemetry, withKey: !options.withoutKey }
    const manifest = await withProgress(io, creating, progress => createBackup(config, wish, progress))
    const summary = { path, bytes: bytesOf(manifest), ...manifest, files: manifest.files.length }
    if (options.json) return io.out(`${JSON.stringify(summary)}\n`)
    io.out(`${path}\n`)
    io.err(
      `${sizeText(summary.bytes)} in ${summary.files} files, as of ${manifest.created_at}. ${aboutKey(manifest)}\n`,
    )
  })
}

function aboutKey({ instance_key, engine }: Manifest): string {
  if (instance_key) return 'The instance key is in it: whoever reads it can open every secret, so keep it safe.'
  const where = engine === 'sqlite' ? `${keyName} of the data directory` : 'WATCHPOST_INSTANCE_KEY of the servers'
  return `The instance key is not in it: without ${where} the secrets of channels and apps cannot be read again.`
}

function verify(io: Io): Command {
  const command = new Command('verify')
    .description('look whether a backup is whole: every byte, every database, the schema, the key')
    .argument('<path>', 'the backup')
    .option('--json', 'print one JSON object')
  return command.action(async (path: string, options: { json?: true }) => {
    const { manifest, problems, notes, rows } = await withProgress(io, verifying, progress =>
      verifyBackup(path, progress, { full: true }),
    ).catch(error => {
      if (options.json && !(error instanceof StoppedError))
        io.out(`${JSON.stringify({ ok: false, problems: [(error as Error).message] })}\n`)
      throw error
    })
    const ok = problems.length === 0
    const { created_at, watchpost, schema, engine } = manifest
    if (options.json) {
      io.out(`${JSON.stringify({ ok, problems, notes, created_at, watchpost, schema, engine, rows })}\n`)
    } else {
      io.out(`made      ${created_at} by Watchpost ${watchpost}, schema ${schema}, ${sizeText(bytesOf(manifest))}\n`)
      for (const [file, counts] of Object.entries(rows)) io.out(`${file}: ${countsText(counts)}\n`)
      for (const note of notes) io.out(`note      ${note}\n`)
      for (const problem of problems) io.out(`problem   ${problem}\n`)
    }
    if (!ok) throw new OperatorError(`${path} is damaged; do not rely on it`)
    if (!options.json) io.out('whole\n')
  })
}

function countsText(counts: Record<string, number>): string {
  const texts = Object.entries(counts).map(
    ([table, count]) => `${count} ${table.replace(/_\d{8}$/, '').replaceAll('_', ' ')}`,
  )
  return texts.join(', ') || 'nothing'
}

function restore(io: Io): Command {
  const command = new Command('restore')
    .description('bring a backup back, once it is known to be whole; the server must be stopped')
    .argument('<path>', `the backup, the directory with its ${manifestName}`)
  withSettings(command, storage)
    .option('--force', 'move aside what is there, within the data directory; nothing is deleted')
    .option('--json', 'print one JSON object')
  return command.action(async (path: string, options: Given & { force?: true; json?: true }) => {
    const config = readConfig(options, io.env, false)
    const { manifest, notes, aside } = await withProgress(io, restoring, progress =>
      restoreBackup(config, path, options.force ?? false, progress),
    )
    const { created_at, schema, instance_key, engine } = manifest
    if (options.json) {
      const restored_to = engine === 'sqlite' ? config.dataDir : 'database'
      return io.out(
        `${JSON.stringify({ restored_to, created_at, schema, instance_key, aside: aside ?? null, notes })}\n`,
      )
    }
    if (aside !== undefined) io.err(`What was there is in ${aside} now; delete it once you are sure.\n`)
    for (const note of notes) io.err(`Note: ${note}.\n`)
    if (engine === 'postgres' && instance_key) {
      io.err(`Start the servers with the key of the backup: WATCHPOST_INSTANCE_KEY_FILE=${path}/${keyName}\n`)
    }
    io.err(`Everything is as it was on ${created_at}; start the server.\n`)
  })
}

const creating = { what: 'Backing up', whenStopped: 'nothing is left of it' }
const verifying = { what: 'Verifying', whenStopped: 'whether it is whole is not known' }
const restoring = { what: 'Restoring', whenStopped: 'nothing was restored, and all is as it was' }

async function withProgress<T>(io: Io, words: ProgressWords, work: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(words, io.terminal ? text => io.err(text) : undefined)
  try {
    return await work(progress)
  } finally {
    progress.end()
  }
}
