const hex = /^#[0-9a-f]{6}$/i

/** The specification's default (2.1). */
export const defaultColour = '#10b981'

type Rgb = [red: number, green: number, blue: number]

/** The colour if it is exactly #rrggbb, else the default: nothing else may ever reach the style sheet. */
export function safeColour(colour: unknown): string {
  return typeof colour === 'string' && hex.test(colour) ? colour.toLowerCase() : defaultColour
}

/** WCAG 2 contrast of two #rrggbb colours, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** Black or white, whichever reads better on the colour. One of the two always reaches 4.5. */
export function inkOn(colour: string): string {
  return contrast(colour, '#ffffff') >= contrast(colour, '#000000') ? '#ffffff' : '#000000'
}

/** The colour itself or the nearest mix with black or white that reads on the background (WCAG AA, 4.5). */
export function readable(colour: string, background: string): string {
  const towards = inkOn(background)
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share)
    if (contrast(mixed, background) >= 4.5) return mixed
  }
  return towards
}

function luminance(colour: string): number {
  const [red, green, blue] = rgb(colour).map(value => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function mix(colour: string, other: string, share: number): string {
  const [from, to] = [rgb(colour), rgb(other)]
  const mixed = from.map((value, i) => Math.round(value + ((to[i] as number) - value) * share))
  return `#${mixed.map(value => value.toString(16).padStart(2, '0')).join('')}`
}

const rgb = (colour: string): Rgb => [1, 3, 5].map(at => Number.parseInt(colour.slice(at, at + 2), 16)) as Rgb
