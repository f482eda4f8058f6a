import { expect, test } from 'vitest'
import { renderHistory } from './history-page.ts'
import { incident, payload } from './sample.ts'
import { languages } from './words.ts'

const address = { url: 'https://status.acme.example/', path: '/status/acme' }
const part = { incidents: [incident()], number: 2, total: 3 }

test.each(Object.keys(languages))('in %s it has its heading, its month and its ways on', language => {
  const { body } = renderHistory(payload({ language }), part, address)
  const texts = languages[language]
  expect(body).toContain(`<html lang="${language}" dir="${texts?.direction}">`)
  for (const text of [texts?.incidentHistory, texts?.newerIncidents, texts?.olderIncidents, texts?.back])
    expect(body).toContain(text)
})

test('its address is the same wherever it is found, and the first part has none of its own', () => {
  const canonical = (number: number, url = address.url) =>
    /rel="canonical" href="([^"]*)"/.exec(renderHistory(payload(), { ...part, number }, { ...address, url }).body)?.[1]
  expect(canonical(1)).toBe('https://status.acme.example/history')
  expect(canonical(2)).toBe('https://status.acme.example/history?page=2')
  expect(canonical(1, 'https://watch.example/status/acme')).toBe('https://watch.example/status/acme/history')
})

test('one part alone needs no way to others', () => {
  expect(renderHistory(payload(), { ...part, number: 1, total: 1 }, address).body).not.toContain('<nav')
})
