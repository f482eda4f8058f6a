export { contentSecurityPolicy } from './content-security-policy.ts'
export { type RenderOptions, renderStatusPage } from './page.ts'
