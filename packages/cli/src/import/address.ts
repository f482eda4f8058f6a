/** An address without the user and password that it carries, and those; a password may be a variable. */
export function withoutCredentials(target: string): { target: string; auth?: { username: string; password: string } } {
  const [, scheme = '', held = '', rest = ''] = /^(https?:\/\/)([^/?#\\]*)@(.*)$/is.exec(target) ?? []
  if (scheme === '') return { target }
  const colon = held.indexOf(':')
  const [username, password] = colon === -1 ? [held, ''] : [held.slice(0, colon), held.slice(colon + 1)]
  return { target: scheme + rest, auth: { username: decoded(username), password: decoded(password) } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
