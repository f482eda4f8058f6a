import { hash } from 'node:crypto'

/** Frames that tell errors apart; what called them is the same for many, or another each time. */
const framesOf = 3

/**
 * The same for errors of one cause: ids and numbers of the message, places within a script, and the hashes that a build
 * gives its files do not tell them apart.
 */
export function fingerprint(name: string, message: string, stack: string): string {
  const frames = stack.split('\n').map(frameOf).filter(Boolean).slice(0, framesOf)
  return hash('sha256', [name, normal(message.slice(0, 300)), ...frames].join('\n')).slice(0, 16)
}

/** Function and file of a line, as Chrome and as Firefox and Safari write it; undefined for what is no frame. */
function frameOf(line: string): string | undefined {
  const found =
    /^\s*at (?:async )?(?:(.*?) \()?([^()\s]+?)(?::\d+){1,2}\)?\s*$/.exec(line) ??
    /^\s*([^@\s]*)@(.+?)(?::\d+){1,2}\s*$/.exec(line)
  if (found === null) return undefined
  const [, called = '', file = ''] = found
  return `${called} ${normal(file.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''))}`
}

const normal = (text: string): string =>
  text.replace(/\b(?=[\da-f-]*\d)[\da-f]{6,}(?:-[\da-f]{2,})*\b|\d+/gi, '#').replace(/\s+/g, ' ')
