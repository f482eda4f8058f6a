import type { ChannelItem, MonitorItem } from '@watchpost/contract'
import { asRaw, type Conversion, type Raw } from './conversion.ts'

const credentialHeader = /authorization|cookie|token|key|secret|pass|auth|session|signature/i
const advice = `write a \${VARIABLE} instead before you commit it`

/**
 * Says, a line each, where the output holds what nobody else may know.
 * @param keepsVariables `${NAME}` in it is a variable already
 */
export function mindSecrets(conversion: Conversion, keepsVariables: boolean): void {
  const isOpen = (value: unknown) =>
    value === undefined || value === '' || (keepsVariables && /\$\{\w+\}/.test(String(value)))
  const mind = (what: string, held: Raw) => {
    for (const [said, value] of Object.entries(held)) {
      if (!isOpen(value)) conversion.mind(what, `${said} is in the output; ${advice}`)
    }
  }
  for (const monitor of conversion.monitors) mind(`monitor "${monitor.name}"`, ofMonitor(monitor))
  for (const channel of conversion.channels) mind(`channel "${channel.name}"`, ofChannel(channel))
}

function ofMonitor({ options }: MonitorItem): Raw {
  const { auth, headers } = asRaw(options)
  const { password, token } = asRaw(auth)
  const secret = Object.entries(asRaw(headers)).filter(([name]) => credentialHeader.test(name))
  return {
    'its password (options.auth)': password,
    'its token (options.auth)': token,
    ...Object.fromEntries(secret.map(([name, value]) => [`its header ${name}`, value])),
  }
}

function ofChannel({ url, bot_token, secret }: ChannelItem): Raw {
  return { 'its address': url, 'its bot token': bot_token, 'its secret': secret }
}
