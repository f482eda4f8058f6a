/** What is left out of texts before they are kept: secrets by their shape, and what stands behind a telling name. */

const email = /[\w.+-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63})+/g
const jwt = /\beyJ[\w-]{6,}\.[\w-]{2,}(?:\.[\w-]*)?/g
const known =
  /\b(?:wp_(?:api|probe|app|rum|session|invite)_|sk_(?:live|test)_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA)[\w-]{8,}/g
const scheme = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
const named =
  /\b((?:access|refresh|id|auth|csrf|xsrf|api|app)?[_-]?(?:token|key|secret)|pass(?:word|wd|phrase)?|pwd|authorization|credentials?|session_?id|sid|pin|otp|cvc|ssn)\b(["']?\s*[=:]\s*["']?)([^\s"'&,;)}\]]+)/gi
/** Of a card; or a UUID, parts of which may look like one. */
const digits = /\b([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b|\b\d(?:[ -]?\d){12,18}\b/gi
const queries = /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s?#"'<>()]+)[?#](?:(?!:\d+(?::\d+)?(?:[\s)]|$))[^\s"'<>()])*/gi

/** A text for people, such as a message or a stack. */
export function scrubText(text: string): string {
  let clean = text
  if (clean.includes('://') && /[?#]/.test(clean)) clean = clean.replace(queries, '$1')
  if (clean.includes('@') || clean.includes('%40')) clean = clean.replace(email, '[email]')
  if (clean.includes('eyJ')) clean = clean.replace(jwt, '[token]')
  if (/[_-]|AKIA/.test(clean)) clean = clean.replace(known, '[token]')
  if (/bearer|basic/i.test(clean)) clean = clean.replace(scheme, '$1 [secret]')
  if (/[=:]/.test(clean)) clean = clean.replace(named, (_, name, sign) => `${name}${sign}[secret]`)
  if (/\d{4}/.test(clean))
    clean = clean.replace(digits, (found, uuid) => (uuid === undefined && isCard(found) ? '[card]' : found))
  return clean
}

/** An address without query, fragment and credentials. */
export function scrubUrl(url: string): string {
  const end = url.search(/[?#]/)
  const bare = (end < 0 ? url : url.slice(0, end)).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1')
  return scrubText(bare)
}

const telling =
  /^(?:.*[_-])?(?:token|key|secret|pass(?:word|wd|phrase)?|pwd|authorization|cookie|credentials?|session_?id|sid|pin|otp|cvc|ssn|e-?mail)$/i
/** `accessToken`, but no monkey. */
const tellingEnd = /[a-z](?:Token|Key|Secret|Password|Email)$/

/** A value of any shape, as deep as it goes; what stands under a telling name is left out. */
export function scrubValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(clip(value, 2000))
  if (typeof value !== 'object' || value === null) return value
  if (depth === 8) return null
  if (Array.isArray(value)) return value.slice(0, 100).map(each => scrubValue(each, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .map(([name, each]) => [
        scrubText(clip(name, 200)),
        (telling.test(name) || tellingEnd.test(name)) && each !== null ? '[secret]' : scrubValue(each, depth + 1),
      ]),
  )
}

/** At most so long, without what no engine can keep. */
export function clip(text: string, most: number): string {
  const short = text.length > most ? text.slice(0, most) : text
  const whole = short.isWellFormed() ? short : short.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** Card numbers end in a digit that follows from the others (Luhn). */
function isCard(text: string): boolean {
  let sum = 0
  const plain = text.replace(/[ -]/g, '')
  for (let index = 0; index < plain.length; index++) {
    const digit = Number(plain[plain.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
