/** One line of what fping prints: something about one packet to one address. */
export type FpingLine =
  | { is: 'answer'; ip: string; index: number; milliseconds: number }
  | { is: 'lost'; ip: string; index: number }
  | { is: 'unsent'; ip: string; message: string }
  | { is: 'remark'; ip: string; message: string }
  | { is: 'trouble'; message: string }
  | { is: 'nothing' }

const nothing: FpingLine = { is: 'nothing' }

/** Reads what fping says of each packet and what else it has to say; duplicates and the closing summary are nothing. */
export function parseLine(line: string): FpingLine {
  const match = /^(\S+)\s*: \[(\d+)\], (?:\d+ bytes, ([\d.e+]+) ms\b|timed out\b)/.exec(line)
  if (match === null) return parseOther(line)
  const [, ip = '', index, milliseconds] = match
  if (milliseconds === undefined) return { is: 'lost', ip, index: Number(index) }
  return { is: 'answer', ip, index: Number(index), milliseconds: Number(milliseconds) }
}

/** What routers said, what could not be sent, why nothing works. */
function parseOther(line: string): FpingLine {
  const heard = /^(?:ICMP )?(.{1,60}?) from (\S{1,60}) for ICMP Echo sent to (\S+)/.exec(line)
  if (heard !== null) return { is: 'remark', ip: heard[3] ?? '', message: `${heard[1]}, says ${heard[2]}` }
  const unsent = /^(\S+)\s*: error while sending ping: (.{1,100})/.exec(line)
  if (unsent !== null) return { is: 'unsent', ip: unsent[1] ?? '', message: unsent[2] ?? '' }
  // A duplicate, or the summary: each address with its times.
  if (/^\s*$|^\S+\s*: (duplicate for |[-\d. e+]+$)/.test(line)) return nothing
  return { is: 'trouble', message: line }
}
