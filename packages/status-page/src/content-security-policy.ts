/**
 * The policy a rendered page needs and no more, for the header of the answer that carries it. `data:` is the icon in
 * the browser's tab. The nonce must be new for every answer.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}
