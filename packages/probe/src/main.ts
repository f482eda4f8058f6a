import { runCheck } from '@watchpost/checks'
import { Command, CommanderError } from 'commander'
import { type CheckFlags, checkCommand, word } from './check-command.ts'
import { type Env, type Flags, resolveRunConfig, resolveSettings, UsageError } from './config.ts'
import { runDaemon } from './daemon.ts'
import { doctorCommand } from './doctor.ts'
import { createLogger } from './logger.ts'
import type { ReportPace } from './report.ts'
import type { CheckRunner } from './run.ts'
import { ServiceManager } from './service-manager.ts'
import { version } from './version.ts'

/** The world as the program sees it; tests give it another. */
export interface Io {
  stdout: (text: string) => void
  stderr: (text: string) => void
  env: Env
  /** Ends `run` and gives up a `check`. */
  stop: AbortSignal
  runCheck?: CheckRunner
  pace?: Partial<ReportPace>
}

const runExamples = `
Every flag has a twin in the environment: WATCHPOST_URL, WATCHPOST_PROBE_TOKEN, WATCHPOST_PROBE_TOKEN_FILE,
WATCHPOST_SPOOL_DIR, WATCHPOST_SPOOL_SIZE, WATCHPOST_WITNESSES, WATCHPOST_CONCURRENCY, WATCHPOST_PROBE_NAME, WATCHPOST_HEALTH_LISTEN, WATCHPOST_LOG_LEVEL,
WATCHPOST_LOG_FORMAT. A flag beats the environment.

Examples:
  $ watchpost-probe run --server https://watchpost.example.com --token-file /etc/watchpost/probe-token
  $ WATCHPOST_PROBE_TOKEN=wp_probe_… watchpost-probe run --server http://127.0.0.1:8080 --spool-dir /var/lib/watchpost

Exit codes: 0 stopped, 1 cannot work here, 2 usage, 3 the token is not accepted`

const checkExamples = `
Examples:
  $ watchpost-probe check https://example.com/ --option keyword=Welcome
  $ watchpost-probe check db.internal:5432 --timeout 3
  $ watchpost-probe check mail.internal:25 --option 'expect="220"'
  $ watchpost-probe check example.com --type dns --option record_type=MX -o json
  $ watchpost-probe check https://example.com/ --option 'expected_status=[200,"300-399"]'

Exit codes: 0 online, 1 offline, 2 usage, 3 the probe could not check`

const doctorExamples = `
Flags have twins in the environment: WATCHPOST_URL, WATCHPOST_PROBE_TOKEN, WATCHPOST_PROBE_TOKEN_FILE, WATCHPOST_SPOOL_DIR,
WATCHPOST_PROBE_NAME, WATCHPOST_CONCURRENCY. A flag beats the environment.

Examples:
  $ watchpost-probe doctor
  $ watchpost-probe doctor --server https://watchpost.example.com --token-file /etc/watchpost/probe-token

Each line is ok, warn (works, but not as well as it could) or fail, with the mend.

Exit codes: 0 nothing fails, 1 something does, 2 usage`

const examples = `
Examples:
  $ watchpost-probe check https://example.com/
  $ watchpost-probe run --server https://watchpost.example.com --token-file /etc/watchpost/probe-token
  $ watchpost-probe doctor`

/** Runs `watchpost-probe` with these arguments; never throws for what a user can do wrong, never exits the process. */
export async function run(argv: string[], io: Io): Promise<number> {
  let code = 0
  const program = createProgram(io, result => {
    code = result
  })
  try {
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    // Commander has said it already: its help, its version, or what it did not understand.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    io.stderr(`watchpost-probe: ${(error as Error).message}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

function createProgram(io: Io, exit: (code: number) => void): Command {
  const look = io.runCheck ?? runCheck
  const program = new Command('watchpost-probe')
    .description('Checks targets for a Watchpost server, and by hand.')
    .version(version)
    .configureOutput({ writeOut: io.stdout, writeErr: io.stderr })
    .showHelpAfterError('(--help says more)')
    .addHelpText('after', examples)
    .exitOverride()

  withServer(program.command('run').description('fetch checks from a server, run them, report the results'))
    .option('--concurrency <n>', 'checks running at once (default: 100)')
    .option('--spool-size <size>', 'room for results that wait, such as 500MB; the oldest go first (default: 1GB)')
    .option(
      '--witness <host:port>',
      'whom to ask whether this probe still has a network before a target is called offline; repeatable (default: the server)',
      (value: string, before?: string) => (before === undefined ? value : `${before},${value}`),
    )
    .option('--health-listen <host:port>', 'serve /healthz, /readyz and /metrics here (default: off)')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent (default: info)')
    .option('--log-format <format>', 'json or pretty (default: json)')
    .addHelpText('after', runExamples)
    .action(async (flags: Flags) => exit(await runCommand(flags, look, io)))

  program
    .command('check')
    .description('check one target now, without a server')
    .argument('<target>', 'a URL, host:port, or a host name or address')
    .option('--type <type>', 'http, https, ping, tcp, ssl or dns (default: told from the target)')
    .option('--timeout <seconds>', 'for the whole check (default: 10)')
    .option('--no-ssl-verify', 'accept any certificate')
    .option('--method <method>', 'get, post, put, patch or delete (default: get)')
    .option('--option <k=v>', 'setting of the check type, JSON where it parses; repeatable', collect)
    .option('-o, --output <format>', 'text or json (default: text)')
    .addHelpText('after', checkExamples)
    .action(async (target: string, flags: CheckFlags) =>
      exit(await checkCommand(target, flags, look, io.stdout, io.stop)),
    )

  withServer(program.command('doctor').description('say what this host can and cannot do'))
    .option('--concurrency <n>', 'checks that are to run at once (default: 100)')
    .option('-o, --output <format>', 'text or json (default: text)')
    .addHelpText('after', doctorExamples)
    .action(async ({ output, ...flags }: Flags & { output?: string }) => {
      const { server, token, spoolDir, name, concurrency } = resolveSettings(flags, io.env)
      const format = word(output ?? 'text', ['text', 'json'], '-o')
      const options = { server, token, spoolDir, name, concurrency, output: format, runCheck: look }
      exit(await doctorCommand(options, io.stdout))
    })
  return program
}

function withServer(command: Command): Command {
  return command
    .option('--server <url>', 'address of the Watchpost server')
    .option('--token <token>', "this probe's token; others on this host can see it, so rather use:")
    .option('--token-file <file>', 'file that holds the token')
    .option('--spool-dir <dir>', 'where results wait until the server has them (default: ./probe-spool)')
    .option('--name <name>', 'how this probe introduces itself (default: the host name)')
}

async function runCommand(flags: Flags, runCheck: CheckRunner, io: Io): Promise<number> {
  const config = resolveRunConfig(flags, io.env)
  const log = createLogger({ level: config.logLevel, format: config.logFormat, name: config.name, write: io.stderr })
  const manager = new ServiceManager(io.env, message => log.warn(message))
  io.stop.addEventListener('abort', () => manager.stopping(), { once: true })
  let status = ''
  return runDaemon({
    config,
    runCheck,
    log,
    stop: io.stop,
    onPolled: ({ ok, monitors, spooled }) => {
      status = `${monitors} monitors, ${spooled} results wait${ok ? '' : ', the server does not answer'}`
      manager.moved(status)
    },
    onRunning: facts => {
      manager.ready(status)
      io.stdout(`${JSON.stringify({ event: 'running', ...facts })}\n`)
    },
    ...(io.pace === undefined ? {} : { pace: io.pace }),
  })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
