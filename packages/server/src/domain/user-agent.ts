/** What is kept of a browser's name for itself: families, which thousands share. */
export interface Client {
  browser: string | null
  os: string | null
  device: 'desktop' | 'mobile' | 'tablet' | 'bot' | null
}

/** The first that fits: browsers name their forerunners, too. */
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/YaBrowser\//, 'Yandex'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]
const bots = /bot|crawl|spider|headless|lighthouse|slurp|preview/i

export function readUserAgent(text: string | undefined): Client {
  if (text === undefined || text === '') return { browser: null, os: null, device: null }
  const short = text.slice(0, 500)
  const first = (families: [RegExp, string][]) => families.find(([pattern]) => pattern.test(short))?.[1] ?? null
  return { browser: first(browsers), os: first(systems), device: deviceOf(short) }
}

function deviceOf(text: string): Client['device'] {
  if (bots.test(text)) return 'bot'
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(text)) return 'tablet'
  return /Mobi|iPhone|iPod/.test(text) ? 'mobile' : 'desktop'
}
