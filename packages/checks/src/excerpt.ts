const maxLength = 500

/**
 * Shortens what a target said for people to read: at most 500 characters, on one line, without secrets. Secrets are
 * those the check itself sent (an echoing server repeats them) and what looks like one.
 */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  // More is looked at than shown, so that a secret at the cut is whole when it is looked for.
  return redact(text.slice(0, maxLength * 8), secrets)
    .replace(/\b(bearer|basic)\s+[\w.~+/-]{6,}=*/gi, '$1 [redacted]')
    .replace(
      /((?:password|passwd|secret|token|api[_-]?key)["']?\s{0,3}[=:]\s{0,3}["']?)[^\s"'&<,;}]{1,400}/gi,
      '$1[redacted]',
    )
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
}

/** Takes the given secrets out of a text. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text)
}
