import type { Monitor } from '@watchpost/contract'
import { isUnknown } from '../format/monitors.ts'

/** JUnit's XML: a test case for each monitor; offline failed, what nobody watches is an error, and what is not to be watched was skipped. */
export function junitReport(monitors: Monitor[]): string {
  const of = (status: string) => monitors.filter(monitor => String(monitor.status) === status).length
  const errors = monitors.filter(monitor => isError(monitor)).length
  const counts = `tests="${monitors.length}" failures="${of('offline')}" errors="${errors}" skipped="${of('paused') + of('pending')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="watchpost" ${counts}>`,
    `  <testsuite name="monitors" ${counts}>`,
    ...monitors.map(testCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const isError = (monitor: Monitor) => isUnknown(monitor) && String(monitor.status) === 'online'

function testCase(monitor: Monitor): string {
  const { id, name, type, target, status, response_time_ms, last_check_at } = monitor
  const time = ((response_time_ms ?? 0) / 1000).toFixed(3)
  const open = `    <testcase classname="${escapeXml(`watchpost.${type}`)}" name="${escapeXml(name)}" time="${time}"`
  const where = `${target} (monitor ${id}, checked ${last_check_at ?? 'never'})`
  const inside = isError(monitor)
    ? `<error type="unknown" message="${escapeXml(`nobody watches ${where}`)}"/>`
    : outcome(String(status), where)
  return inside === '' ? `${open}/>` : `${open}>${inside}</testcase>`
}

function outcome(status: string, where: string): string {
  if (status === 'offline') return `<failure type="offline" message="${escapeXml(`${where} is offline`)}"/>`
  return status === 'online' ? '' : `<skipped message="${escapeXml(status)}"/>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

// XML 1.0 cannot hold most control characters, escaped or not, nor half a character.
const unfit =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function escapeXml(text: string): string {
  return text.replace(unfit, '\ufffd').replace(/[&<>"']/g, char => entities[char] ?? char)
}
