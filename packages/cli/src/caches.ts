/** Folder for what is kept for the next start, where only this user can write; undefined where there is none. */
export function caches(name: string): string | undefined {
  const { HOME, XDG_CACHE_HOME } = process.env
  const folder = XDG_CACHE_HOME || (HOME ? `${HOME}/.cache` : '')
  return folder.startsWith('/') ? `${folder}/watchpost/${name}` : undefined
}

/** Has Node keep what it compiles of the modules that are loaded from now on. */
export function keepModules(): void {
  const folder = caches('modules')
  if (folder !== undefined) process.getBuiltinModule('node:module').enableCompileCache?.(folder)
}
