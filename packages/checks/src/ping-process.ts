import { spawn } from 'node:child_process'
import type { PingConfig } from 'ping'
import builders from 'ping/lib/builder/factory.js'
import parsers from 'ping/lib/parser/factory.js'
import type { Deadline } from './deadline.ts'
import { Failure } from './failure.ts'
import type { PingReport } from './ping-report.ts'
import { codeOf, socketFailure } from './socket-failure.ts'

const maxOutput = 64 * 1024

// The package types its parsers as classes without methods.
interface Parser {
  eat(line: string): void
  getResult(): Record<'packetLoss' | 'min' | 'avg' | 'max' | 'stddev', unknown> & { times: unknown[] }
}

/**
 * Runs the system's ping with the arguments that the `ping` package builds, and reads its output with that package's
 * parser. The process is ours, not the package's: it must end with the deadline, its parser may throw on odd output, and
 * a missing program must be told from a forbidden one.
 * @param ip an address and nothing else: the program would take `-f` for an option
 * @throws {Failure} probe_permission, probe_resources, probe_network, connect_unreachable, probe_internal
 */
export async function runPing(ip: string, config: PingConfig, signal: Deadline): Promise<PingReport> {
  const platform = process.platform
  const args = builders.createBuilder(platform).getCommandArguments(ip, config)
  // On Linux one program does both families; ping6 is missing on some systems.
  const program = platform === 'linux' ? 'ping' : builders.getExecutablePath(platform, config.v6 ?? false)
  const output = await outputOf(program, args, signal)
  const parser = parsers.createParser(ip, platform, config) as unknown as Parser
  try {
    for (const line of output.split('\n')) parser.eat(line)
  } catch (error) {
    throw outputFailure(output, ip, error)
  }
  const result = parser.getResult()
  const loss = numberOf(result.packetLoss)
  if (loss === null) throw outputFailure(output, ip)
  return {
    lossPercent: loss,
    received: result.times.length,
    min: numberOf(result.min),
    average: numberOf(result.avg),
    max: numberOf(result.max),
    deviation: numberOf(result.stddev),
  }
}

function outputOf(program: string, args: string[], signal: Deadline): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const collect = (chunk: Buffer) => {
      if (output.length < maxOutput) output += chunk.toString()
    }
    const env = { ...process.env, LC_ALL: 'C', LANG: 'C' }
    const child = started(program, args, env)
    const kill = () => child.kill('SIGKILL')
    if (signal.aborted) kill()
    else signal.addEventListener('abort', kill)
    child.once('error', error => reject(spawnFailure(error)))
    // Without a file to spare there are no pipes either, whatever the types say.
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('close', () => {
      signal.removeEventListener('abort', kill)
      resolve(output)
    })
  })
}

/** @throws {Failure} where the system refuses at once: a program that has a capability, say, where nobody may have it */
function started(program: string, args: string[], env: NodeJS.ProcessEnv) {
  try {
    return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    throw spawnFailure(error)
  }
}

function spawnFailure(error: unknown): Failure {
  const code = codeOf(error)
  if (code === 'ENOENT') {
    return new Failure('probe_permission', 'The probe has no ping program: install iputils-ping.', { cause: error })
  }
  if (code === 'EACCES' || code === 'EPERM') return forbidden(error)
  const failure = socketFailure(error, 'ping')
  return failure.kind === 'probe_resources'
    ? failure
    : new Failure('probe_internal', `The ping program cannot be started (${code}).`, { cause: error })
}

function outputFailure(output: string, ip: string, cause?: unknown): Failure {
  if (/not permitted|permission denied|cap_net_raw|must be root|lacking privilege/i.test(output))
    return forbidden(cause)
  if (/network is unreachable/i.test(output)) {
    return socketFailure(Object.assign(new Error(output, { cause }), { code: 'ENETUNREACH' }), ip)
  }
  if (/no route to host|host is unreachable/i.test(output)) {
    return socketFailure(Object.assign(new Error(output, { cause }), { code: 'EHOSTUNREACH' }), ip)
  }
  if (/address family not supported|cannot assign requested address/i.test(output)) {
    return new Failure('probe_network', `The probe has no network that reaches ${ip}.`, { cause })
  }
  const [line = ''] = output.split('\n')
  return new Failure('probe_internal', `The ping program said something unknown: "${line.slice(0, 200)}".`, { cause })
}

function forbidden(cause: unknown): Failure {
  const mend = 'give it cap_net_raw (setcap cap_net_raw+ep) or widen net.ipv4.ping_group_range'
  return new Failure('probe_permission', `The probe may not run ping: ${mend}.`, { cause })
}

function numberOf(value: unknown): number | null {
  const number = Number.parseFloat(String(value))
  return Number.isFinite(number) ? number : null
}
