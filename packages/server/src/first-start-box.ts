import type { NewTeam } from './bootstrap.ts'

/** What the first start says once: where it is, and the credentials that are shown nowhere else. */
export function firstStartBox(url: string, made: NewTeam): string {
  const lines = [
    'Watchpost is running, and this is shown once: keep it.',
    '',
    `address    ${url}`,
    `e-mail     ${made.email}`,
    `password   ${made.password}`,
    `API token  ${made.api_token}`,
    '',
    'Next:',
    `  export WATCHPOST_URL=${url}`,
    `  export WATCHPOST_TOKEN=${made.api_token}`,
    '  bin/monitorctl monitors create --name Example --type https --target https://example.com',
    '  bin/monitorctl monitors watch',
  ]
  const width = Math.max(...lines.map(line => line.length))
  const bar = '─'.repeat(width + 2)
  return [`┌${bar}┐`, ...lines.map(line => `│ ${line.padEnd(width)} │`), `└${bar}┘`, ''].join('\n')
}
