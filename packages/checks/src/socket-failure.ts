import type { ErrorKind } from '@watchpost/contract'
import { Failure } from './failure.ts'
import { hasNetwork } from './own-network.ts'

type Verdict = [kind: ErrorKind, message: (where: string) => string]

const verdicts: Record<string, Verdict> = {
  ECONNREFUSED: ['connect_refused', where => `Connection refused by ${where}.`],
  ECONNRESET: ['connect_reset', where => `${where} closed the connection.`],
  ECONNABORTED: ['connect_reset', where => `${where} closed the connection.`],
  EPIPE: ['connect_reset', where => `${where} closed the connection.`],
  ETIMEDOUT: ['connect_timeout', where => `No connection to ${where}: nothing answered.`],
  EHOSTUNREACH: ['connect_unreachable', where => `No route to ${where}.`],
  EHOSTDOWN: ['connect_unreachable', where => `No route to ${where}.`],
  ENETUNREACH: ['connect_unreachable', where => `The network of ${where} is unreachable.`],
  ENETDOWN: ['probe_network', () => 'The network of the probe is down.'],
  EAFNOSUPPORT: ['probe_network', where => `The probe has no network that reaches ${where}.`],
  // What Linux says of a route that drops everything.
  EINVAL: ['probe_network', where => `The probe has no route to ${where}: its own routes drop what goes there.`],
  EACCES: ['probe_permission', where => `The probe may not connect to ${where}: look at its firewall and its rights.`],
  EPERM: ['probe_permission', where => `The probe may not connect to ${where}: look at its firewall and its rights.`],
  EMFILE: ['probe_resources', () => 'The probe has too many open files: raise its limit (ulimit -n).'],
  ENFILE: ['probe_resources', () => 'The host of the probe has too many open files.'],
  ENOBUFS: ['probe_resources', () => 'The probe has run out of network buffers.'],
  ENOMEM: ['probe_resources', () => 'The probe has run out of memory.'],
  EAGAIN: ['probe_resources', () => 'The host of the probe has no process or thread to spare.'],
  EADDRNOTAVAIL: ['probe_resources', where => `The probe has no free port to connect to ${where} from.`],
}

/** Says whose failure a socket's error is, the target's or the probe's own. `where` is the address that was used. */
export function socketFailure(error: unknown, where: string): Failure {
  if (error instanceof Failure) return error
  const code = codeOf(error)
  if (lacksNetwork(code, where)) {
    return new Failure('probe_network', `The probe has no network that reaches ${where}.`, { cause: error })
  }
  const [kind, message] = verdicts[code] ?? ['probe_internal', at => `The connection to ${at} failed (${code}).`]
  return new Failure(kind, message(where), { cause: error })
}

/** The word that Node gives an error (`ECONNREFUSED`, `ERR_SSL_…`), `unknown` where there is none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}

// No route is the target's failure only where the probe itself has a way out.
function lacksNetwork(code: string, where: string): boolean {
  if (code !== 'ENETUNREACH' && code !== 'EADDRNOTAVAIL') return false
  return !hasNetwork(where.includes('[') || where.split(':').length > 2 ? 6 : 4)
}
