import { hash } from 'node:crypto'

/**
 * A strong entity tag: of the bytes, led by the version of what they show where it has one. A reader compares the
 * whole; a writer is held to the version alone, so that a check result between his read and his write is no conflict.
 */
export function entityTag(body: string | Buffer, version?: number): string {
  const digest = hash('sha1', body, 'base64url').slice(0, 20)
  return version === undefined ? `"${digest}"` : `"${version}.${digest}"`
}

/** `If-None-Match`: whether the client holds these bytes already. Compared weakly, as RFC 9110 has it for reads. */
export function isHeld(header: string | undefined, tag: string): boolean {
  return header !== undefined && tagsOf(header).some(given => given === '*' || given === tag)
}

/** Whether a client says which bytes it holds: one that would take any for them has read nothing. */
export function namesTags(header: string | undefined): boolean {
  return header !== undefined && !tagsOf(header).includes('*')
}

/**
 * `If-Match`: whether what the client read is still so.
 * @param version of the resource, undefined where it has none and the bytes decide
 */
export function isCurrent(header: string, tag: string, version: number | undefined): boolean {
  return tagsOf(header).some(
    given => given === '*' || given === tag || (version !== undefined && given.startsWith(`"${version}.`)),
  )
}

/** A proxy that compresses weakens tags; what they name stays the same. */
function tagsOf(header: string): string[] {
  return header.split(',').map(tag => tag.trim().replace(/^W\//, ''))
}
