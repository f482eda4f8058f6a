const plain = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One word for a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return plain.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A command line; words that are undefined are left out. */
export function commandLine(words: readonly (string | number | undefined)[]): string {
  return words
    .filter(word => word !== undefined)
    .map(word => quoted(String(word)))
    .join(' ')
}
