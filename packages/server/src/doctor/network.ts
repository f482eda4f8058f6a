import { createServer } from 'node:net'
import { createTransport } from 'nodemailer'
import { optionsOf } from '../channels/email.ts'
import type { Address, Config } from '../config.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const requestMs = 5000

/** @param isServed whether a server holds our data directory, as far as that can be known */
export async function addresses({ listen, otlpListen, databaseUrl }: Config, isServed: boolean): Promise<Finding[]> {
  const mayBeOurs = isServed || databaseUrl !== undefined
  const main = address('--listen', listen, async () => mayBeOurs && (await isWatchpost(urlOf(listen))))
  if (otlpListen === null) return [await main]
  // That address answers 404 to what it does not know, and so do others.
  return Promise.all([main, address('--otlp-listen', otlpListen, async () => mayBeOurs)])
}

async function address(flag: string, { host, port }: Address, isOurs: () => Promise<boolean>): Promise<Finding> {
  const what = flag.slice(2)
  const shown = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const code = await tryListening(host, port)
  if (code === undefined) return ok(what, `${shown} is free`)
  if (code === 'EADDRINUSE') {
    if (await isOurs()) return ok(what, `${shown} is used by the running server`)
    return fail(what, `${shown} is taken by another program`, `stop it, or choose another with ${flag}`)
  }
  const mend =
    code === 'EACCES' ? `choose a port from 1024 with ${flag}` : `choose an address of this host with ${flag}`
  return fail(what, `${shown} cannot be listened on (${code})`, mend)
}

function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

function urlOf({ host, port }: Address): string {
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${near}:${port}`
}

async function isWatchpost(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(requestMs), redirect: 'manual' })
    .then(async response => (response.ok ? await response.json() : undefined))
    .catch(() => undefined)
  return answer?.status === 'ok'
}

/** Whether what is written in messages leads here. */
export async function publicUrl({ publicUrl }: Config, isServed: boolean): Promise<Finding> {
  const what = 'public-url'
  if (publicUrl === undefined) return ok(what, 'none: messages have no links, and people use the address listened on')
  const trouble = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(requestMs) }).then(
    ({ status, ok }) => (ok ? undefined : `answers ${status}`),
    (error: Error) => (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.name,
  )
  if (trouble === undefined) return ok(what, `${publicUrl} answers`)
  const why = isServed ? '' : '; no server runs here now'
  const mend = 'see the name, the certificate and the proxy; from outside it may work nevertheless'
  return warn(what, `${publicUrl} cannot be reached from here (${trouble})${why}`, mend)
}

/** Behind a proxy that is not known, all visitors are one. */
export function proxies({ publicUrl, trustedProxies, listen }: Config): Finding {
  const what = 'proxies'
  if (trustedProxies.length > 0) {
    const everybody = trustedProxies.find(({ bits }) => bits === 0)
    if (everybody === undefined) return ok(what, `${trustedProxies.length} ranges are believed`)
    const mend = 'name the addresses of your proxies only (WATCHPOST_TRUSTED_PROXIES)'
    return fail(what, `${everybody.net}/0 is believed: anybody can pretend to be anybody`, mend)
  }
  if (publicUrl?.startsWith('https:')) {
    const mend = 'set WATCHPOST_TRUSTED_PROXIES to the address of the proxy, or all visitors share one limit'
    return warn(what, `${publicUrl} needs one for its https, and none is believed`, mend)
  }
  const isNear = /^(127\.|::1$|localhost$)/.test(listen.host)
  if (isNear || publicUrl !== undefined) return ok(what, 'none')
  return ok(what, 'none; whoever reaches the address is who the connection says')
}

/** Speaks to the mail server up to the log-in; nothing is sent. */
export async function mail({ mailServer }: Config): Promise<Finding> {
  const what = 'mail'
  if (mailServer === undefined) return ok(what, 'no mail server is set, so there are no e-mail channels')
  const transport = createTransport({ ...optionsOf(mailServer), pool: false as never, dnsTimeout: requestMs })
  const shown = `${mailServer.host}:${mailServer.port}`
  try {
    await transport.verify()
    return ok(what, `${shown} answers${mailServer.user === undefined ? '' : `, and lets ${mailServer.user} in`}`)
  } catch (error) {
    const { code, responseCode } = error as NodeJS.ErrnoException & { responseCode?: number }
    const why = [code, responseCode].filter(part => part !== undefined).join(' ') || 'unknown reason'
    return fail(what, `${shown} cannot be used (${why})`, 'see WATCHPOST_SMTP_URL: name, port, user and password')
  } finally {
    transport.close()
  }
}
