import { inkOn, readable, safeColour } from './colour.ts'

/** State colours come in two: `up` for areas (3:1 on the card), `upInk` for text (4.5:1). The test holds them to it. */
export const light = {
  page: '#f6f7f9',
  card: '#ffffff',
  line: '#e3e6ea',
  ink: '#14181f',
  soft: '#59626f',
  up: '#059669',
  upInk: '#047857',
  upWash: '#ecfaf4',
  dip: '#c87407',
  dipInk: '#9a5b00',
  dipWash: '#fdf5e6',
  fall: '#dc2626',
  fallInk: '#b91c1c',
  fallWash: '#fdf0f0',
  blank: '#868e9a',
  blankInk: '#59626f',
  blankWash: '#f0f2f4',
}

export const dark: Palette = {
  page: '#0c0f14',
  card: '#151a21',
  line: '#29303a',
  ink: '#eef1f5',
  soft: '#9ca6b4',
  up: '#2fb886',
  upInk: '#4fd1a1',
  upWash: '#10261f',
  dip: '#e0a02f',
  dipInk: '#f0b94f',
  dipWash: '#2a2110',
  fall: '#f05252',
  fallInk: '#ff8a8a',
  fallWash: '#311518',
  blank: '#707987',
  blankInk: '#9ca6b4',
  blankWash: '#1d232c',
}

export type Palette = typeof light

/** Light or dark for everyone, or as the visitor's system has it. */
export type Scheme = 'light' | 'dark' | 'auto'

/** The palettes as CSS declarations, with the page's own colour made readable on each. */
export function paletteCss(primary: unknown, scheme: Scheme): string {
  const colour = safeColour(primary)
  const own = `--brand:${colour};--on-brand:${inkOn(colour)}`
  const night = `color-scheme:dark;${declare(dark)};--accent:${accentOf(colour, dark)};${own}`
  if (scheme === 'dark') return `:root{${night}}`
  const day = `color-scheme:light;${declare(light)};--accent:${accentOf(colour, light)};${own}`
  if (scheme === 'light') return `:root{${day}}`
  return `:root{${day}}@media(prefers-color-scheme:dark){:root{${night}}}`
}

/** Links stand on cards and on the page itself. */
const accentOf = (colour: string, { card, page }: Palette): string => readable(readable(colour, card), page)

const declare = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
