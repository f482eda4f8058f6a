import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Kinds of credential, each with its prefix, so that a secret scanner and a person know what leaked (ruling 15). */
export const tokenPrefixes = {
  api: 'wp_api_',
  probe: 'wp_probe_',
  app: 'wp_app_',
  rum: 'wp_rum_',
  session: 'wp_session_',
  invitation: 'wp_invite_',
  subscription: 'wp_sub_',
} as const

/** A new token: 32 random bytes behind the prefix of its kind. */
export function newToken(kind: keyof typeof tokenPrefixes): string {
  return tokenPrefixes[kind] + randomBytes(32).toString('base64url')
}

/** What is stored of a token: with 256 random bits a plain hash cannot be searched backwards. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** The token that goes with writes of a log-in: made from its cookie, so that there is nothing more to keep. */
export function csrfToken(session: string): string {
  return createHmac('sha256', session).update('csrf').digest('base64url')
}

/** Whether two texts are the same, in a time that says nothing of where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** A new signing secret in the shape of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** A password that a person may have to type once: 20 letters and digits, none of which look alike, 114 bits. */
export function newPassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
  let password = ''
  while (password.length < 20) {
    // Bytes that would make the first letters likelier than the others are thrown away.
    for (const byte of randomBytes(32)) {
      if (byte < 256 - (256 % alphabet.length) && password.length < 20) password += alphabet[byte % alphabet.length]
    }
  }
  return password
}

/** Encrypts what must be read again: channel addresses, signing secrets, keys of apps. AES-256-GCM, bound to what it is for. */
export interface Keyring {
  /** @param purpose the row it belongs to; the same must be given to open it, so that rows cannot be swapped */
  seal(plain: string, purpose: string): string
  /** @throws when the key is another one, or the text was changed */
  open(sealed: string, purpose: string): string
  /** Stands for a text without saying anything of it to whoever has not the key. */
  sign(text: string, purpose: string): string
}

/** A keyring of the instance; the same key opens what it sealed, in any process. */
export function createKeyring(instanceKey: string): Keyring {
  const key = createHash('sha256').update(instanceKey).digest()
  return {
    seal(plain, purpose) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed.replace(/^v1\./, ''), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(purpose))
      decipher.setAuthTag(bytes.subarray(12, 28))
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
    },
    sign: (text, purpose) => createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url'),
  }
}
