import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { becomeOwnerOf } from './backup/files.ts'
import { type Io, storage, withSettings } from './command-settings.ts'
import { type Config, type Given, OperatorError, readConfig } from './config.ts'
import { askTime } from './doctor/clock.ts'
import { databases, isServed, key, lastBackup, postgres } from './doctor/data.ts'
import { type Finding, fail } from './doctor/finding.ts'
import { dataDir, files, node } from './doctor/host.ts'
import { addresses, mail, proxies, publicUrl } from './doctor/network.ts'

export const doctorExamples = {
  doctor: ['doctor --data-dir /var/lib/watchpost', 'doctor --time-server off --json', 'doctor --full'],
}

/** What this host and these settings can and cannot do, one line each. */
export function doctorCommand(io: Io): Command {
  const command = new Command('doctor').description('look at this host, the data and the settings; nothing is changed')
  withSettings(command, ['listen', 'otlpListen', ...storage, 'publicUrl'])
    .option('--time-server <host|off>', 'whom to ask what time it is, once', 'pool.ntp.org')
    .option('--full', 'read large databases through, too, which takes minutes')
    .option('--json', 'print one JSON object')
  type Options = Given & { timeServer: string; full?: true; json?: true }
  return command.action(async ({ timeServer, full, json, ...given }: Options) => {
    const findings = await look(readConfig(given, io.env, false), timeServer, full ?? false)
    const wrong = findings.filter(({ status }) => status === 'fail').length
    if (json) io.out(`${JSON.stringify({ ok: wrong === 0, findings })}\n`)
    else for (const each of findings) io.out(`${each.status.padEnd(4)}  ${each.what.padEnd(11)}  ${each.message}\n`)
    if (wrong > 0)
      throw new OperatorError(`${wrong} of ${findings.length} findings ${wrong === 1 ? 'is' : 'are'} to be mended`)
  })
}

async function look(config: Config, timeServer: string, full: boolean): Promise<Finding[]> {
  const { databaseUrl } = config
  const served = isServed(config)
  const remote = await Promise.all([
    addresses(config, served),
    publicUrl(config, served),
    proxies(config),
    mail(config),
    databaseUrl === undefined ? [] : postgres(databaseUrl),
    // The clock that matters is the one that all replicas share.
    databaseUrl !== undefined || timeServer === 'off' ? [] : askTime(timeServer),
  ])
  // Afterwards: they hold the process up, and whoever answers meanwhile would seem slow.
  const host = [node(), files()]
  if (databaseUrl !== undefined) return [...host, key(config), lastBackup(config, Date.now()), ...remote].flat()
  return [...host, ...(await lookAtData(config, full)), ...remote].flat()
}

/** As whom the data belongs to: root could use what their server cannot. */
async function lookAtData(config: Config, full: boolean): Promise<Finding[]> {
  let back = () => {}
  try {
    if (existsSync(config.dataDir)) back = becomeOwnerOf(config.dataDir)
    const place = await dataDir(config)
    // What may not be entered looks as if it were empty.
    const isOpen = place.every(({ what, status }) => what !== 'data' || status !== 'fail')
    return isOpen ? [...place, ...databases(config, full), key(config), lastBackup(config, Date.now())] : place
  } catch (error) {
    return [fail('data', (error as Error).message, 'see the data directory and whom it belongs to')]
  } finally {
    back()
  }
}
