/**
 * A browser started with the locale C says its language is `en-US@posix`, which no formatter takes: uPlot makes one as
 * soon as it is loaded, and would take the whole page with it.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  const language = navigator.language.split('@')[0]
  Object.defineProperty(navigator, 'language', { value: language, configurable: true })
}
