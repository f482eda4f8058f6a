import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const hash = promisify(argon2)

/** OWASP's first choice: 19 MiB, two passes, one lane; about 25 ms here. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

/** @returns argon2id in the PHC string format */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await hash('argon2id', { ...cost, message: Buffer.from(password, 'utf8'), nonce })
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** @returns whether the password is the one that was hashed; false for a hash that cannot be read */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (parts === null) return false
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number]
  const nonce = Buffer.from(parts[4] as string, 'base64')
  const expected = Buffer.from(parts[5] as string, 'base64')
  const message = Buffer.from(password, 'utf8')
  const tag = await hash('argon2id', { memory, passes, parallelism, tagLength: expected.length, message, nonce })
  return timingSafeEqual(tag, expected)
}
