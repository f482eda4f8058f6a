import type { IncomingMessage } from 'node:http'
import type { Context } from '../context.ts'
import { addressIn, clientAddress } from '../domain/client-address.ts'

type Asking = Pick<IncomingMessage, 'socket' | 'headers'>

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip']

/**
 * Reads the address a request came from, through the proxies we trust (ruling 18). A forwarding header from anybody else
 * is not believed, and warned about once: either somebody tries, or an operator has forgotten the setting, and then all
 * visitors share the limits of one address.
 */
export function readClientAddress(context: Pick<Context, 'config' | 'log'>): (request: Asking) => string {
  const isTrusted = addressIn(context.config.trustedProxies)
  const read = addressReader(context)
  let warned = false
  return request => {
    const { socket, headers } = request
    const peer = clientAddress(socket.remoteAddress ?? '', undefined, isTrusted)
    if (!warned && forwardingHeaders.some(name => name in headers) && !isTrusted(peer)) {
      warned = true
      context.log.warn(
        { peer },
        'a forwarding header from a peer that is no trusted proxy is not believed; if it is yours, set WATCHPOST_TRUSTED_PROXIES',
      )
    }
    return read(request)
  }
}

/** The same without a word, for whoever asks after it again. */
export function addressReader({ config }: Pick<Context, 'config'>): (request: Asking) => string {
  const isTrusted = addressIn(config.trustedProxies)
  return ({ socket, headers }) =>
    // Node joins several of this header with commas.
    clientAddress(socket.remoteAddress ?? '', headers['x-forwarded-for'] as string | undefined, isTrusted)
}
