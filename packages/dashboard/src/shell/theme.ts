export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export function chosenTheme(): Theme {
  const said = localStorage.getItem('theme')
  return themes.find(theme => theme === said) ?? 'system'
}

/** Colours follow the system, unless somebody chose. */
export function applyTheme(theme: Theme = chosenTheme()): void {
  if (theme === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset.theme
  } else {
    localStorage.setItem('theme', theme)
    document.documentElement.dataset.theme = theme
  }
  window.dispatchEvent(new Event('themechange'))
}
