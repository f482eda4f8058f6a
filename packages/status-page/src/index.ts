export { contentSecurityPolicy } from './content-security-policy.ts'
export { type Html, html, trusted } from './html.ts'
export { type RenderOptions, renderStatusPage } from './page.ts'
export type { ShownMonitor, ShownPage } from './shown-page.ts'
