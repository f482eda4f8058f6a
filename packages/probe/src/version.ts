import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version

/** How this probe introduces itself to the server: its version, and the name its owner gave it. */
export function userAgent(name: string): string {
  return `watchpost-probe/${version} (${name.replace(/[^\x20-\x7e]|[()]/g, '?')})`
}
