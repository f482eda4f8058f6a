import { expect, test } from 'vitest'
import { contrast, defaultColour, inkOn, readable, safeColour } from './colour.ts'
import { dark, light, paletteCss } from './palette.ts'

test.each([
  'red',
  '#fff',
  '#12345g',
  '#10b981;}*{display:none}',
  '#10b981\n',
  ' #10b981',
  '</style>',
  '',
  null,
  7,
  ['#10b981'],
])('%j is no colour, so the default takes its place', colour => {
  expect(safeColour(colour)).toBe(defaultColour)
  expect(paletteCss(colour, 'auto')).toBe(paletteCss(defaultColour, 'auto'))
})

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})

test.each(['#ffffff', '#000000', '#ffff00', '#10b981', '#0ea5e9', '#4f46e5', '#777777', '#ff0000', '#0000ff'])(
  'whatever the colour (%s), text in it and on it is readable',
  colour => {
    expect(contrast(colour, inkOn(colour))).toBeGreaterThanOrEqual(4.5)
    for (const [scheme, palette] of [['light', light] as const, ['dark', dark] as const]) {
      const accent = /--accent:(#\w{6})/.exec(paletteCss(colour, scheme))?.[1] as string
      for (const ground of [palette.card, palette.page]) expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5)
    }
  },
)

test('a colour that is readable is left alone', () => {
  expect(readable('#4f46e5', light.card)).toBe('#4f46e5')
})

test.each([
  ['light', light],
  ['dark', dark],
])('every colour of the %s palette has the contrast of WCAG AA where it is used', (_, palette) => {
  const text: [string, string][] = [
    [palette.ink, palette.page],
    [palette.ink, palette.card],
    [palette.soft, palette.page],
    [palette.soft, palette.card],
  ]
  for (const state of ['up', 'dip', 'fall', 'blank'] as const) {
    const [ink, wash] = [palette[`${state}Ink`], palette[`${state}Wash`]]
    text.push([ink, palette.card], [ink, palette.page], [palette.ink, wash], [palette.soft, wash])
    expect(contrast(palette[state], palette.card), `${state} bars`).toBeGreaterThanOrEqual(3)
    expect(contrast(ink, wash), `${state} icon in the banner`).toBeGreaterThanOrEqual(3)
  }
  for (const [ink, ground] of text) expect(contrast(ink, ground), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
})

test('a dark layout is dark for everyone, any other follows the visitor', () => {
  expect(paletteCss('#4f46e5', 'dark')).not.toContain('prefers-color-scheme')
  expect(paletteCss('#4f46e5', 'auto')).toContain('@media(prefers-color-scheme:dark)')
})
