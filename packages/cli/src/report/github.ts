import type { Monitor } from '@watchpost/contract'
import { isUnknown } from '../format/monitors.ts'

/** Workflow commands of GitHub Actions: an error for each monitor that is offline, a warning for what nobody watches, a line that sums up. */
export function githubReport(monitors: Monitor[]): string {
  const offline = monitors.filter(monitor => String(monitor.status) === 'offline')
  const warnings = monitors
    .filter(monitor => isUnknown(monitor) && !offline.includes(monitor))
    .map(({ id, name, target, last_check_at }) => {
      const said = `${target} (monitor ${id}) was last checked ${last_check_at}`
      return `::warning title=${property(`nobody watches ${name}`)}::${message(said)}`
    })
  const errors = offline.map(({ id, name, target, last_check_at }) => {
    const checked = last_check_at === null ? 'never checked' : `checked ${last_check_at}`
    return `::error title=${property(`${name} is offline`)}::${message(`${target} (monitor ${id}, ${checked})`)}`
  })
  const sum = `${monitors.length} monitors, ${offline.length} offline`
  return `${[...errors, ...warnings, `::notice title=Watchpost::${message(sum)}`].join('\n')}\n`
}

/** Text is data: a name cannot begin a command of its own. */
function message(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
