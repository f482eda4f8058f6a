/** The named parts of a path, or undefined where it is another one: `/monitors/:id`. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.replace(/\/+$/, '').split('/')
  if (wanted.length !== given.length && !(pattern === '/' && path === '/')) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const said = given[at] ?? ''
    if (part.startsWith(':')) {
      if (said === '') return undefined
      found[part.slice(1)] = decodeURIComponent(said)
    } else if (part !== said) return undefined
  }
  return found
}
