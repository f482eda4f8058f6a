import { createHash } from 'node:crypto'
import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type RenderOptions, renderStatusPage } from './page.ts'
import { history, incident, maintenance, monitor, now, payload, perfect } from './sample.ts'
import { script } from './script.ts'

const render = (change: Parameters<typeof payload>[0] = {}, options: RenderOptions = {}) =>
  renderStatusPage(payload(change), options).body

const hostile = `</title></style></script><script>alert(1)</script><img src=x onerror="alert(1)">' onmouseover='x`
const tagNames = (markup: string) => [...new Set([...markup.matchAll(/<([a-z0-9]+)/gi)].map(([, name]) => name))].sort()

test('hostile text in every field of the payload adds no element and no attribute', () => {
  const change = {
    slug: hostile,
    title: hostile,
    description: hostile,
    language: hostile,
    theme: { primary_color: hostile, layout: hostile },
    groups: [{ name: hostile, status: 'partial' as const }],
    monitors: [
      monitor({
        name: hostile,
        display_name: hostile,
        group_name: hostile,
        last_check: hostile,
        current_status: 'down',
      }),
      monitor({
        id: 2,
        name: hostile,
        group_name: `${hostile}2`,
        uptime_history: [{ date: hostile, uptime: 1, hasData: true }],
      }),
    ],
    incidents: [
      incident({ title: hostile, monitor_name: hostile, started_at: hostile, status: hostile, severity: hostile }),
    ],
    maintenance: [maintenance({ title: hostile, description: hostile, starts_at: hostile, ends_at: hostile })],
    uptime_history: [...perfect(2), { date: hostile, uptime: 50, hasData: true }],
    updated_at: hostile,
  }
  const options = { now, path: `/${hostile}`, url: `https://status.example.com/${hostile}`, subscribable: true }
  const markup = render(change, options)
  const plain = render({ ...change, title: 'a' }, { ...options, path: '/', url: 'https://status.example.com/' })
  expect(markup).not.toMatch(/<img|<script[^>]|onerror="|' onmouseover/)
  expect(markup.match(/<script/g)).toHaveLength(1)
  expect(markup.match(/<\/style/g)).toHaveLength(1)
  expect(tagNames(markup)).toEqual(tagNames(plain))
  expect(markup).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
})

test('a page is one document: language, title, one h1, main, and nothing fetched from anywhere', () => {
  const markup = render()
  expect(markup).toMatch(
    /^<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Acme status – All systems/,
  )
  expect(markup.match(/<h1>/g)).toHaveLength(1)
  expect(markup.match(/<main>/g)).toHaveLength(1)
  expect(markup).toContain('Last updated <time datetime="2026-11-21T09:30:00.000Z">21 Nov 2026, 09:30 UTC</time>')
  expect(markup).not.toMatch(/\s(src|style|on[a-z]+)=|@import|url\(|href="(?!#|data:)/)
})

test('the policy allows the style and the script that are there, by their hash, and nothing else', () => {
  expect(render()).not.toMatch(/<script/)
  const { body, policy } = renderStatusPage(payload(), { path: '/status/acme' })
  const hashOf = (tag: string) => {
    const [, text = ''] = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(body) ?? []
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }
  expect(policy).toContain(`style-src ${hashOf('style')};`)
  expect(policy).toContain(`script-src ${hashOf('script')};`)
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
})

test('the script is one that parses and cannot end its element', () => {
  expect(() => new Script(script)).not.toThrow()
  expect(script).not.toMatch(/<\/|<!--/)
})

test('it is refreshed only where it is told from', () => {
  expect(render()).toContain('<main>')
  expect(render({}, { path: '/status/acme' })).toContain('<main data-refresh="/status/acme" data-days="')
})

test('a language without a translation has English words and its own people’s text', () => {
  const markup = render({ language: 'pl', title: 'Übersicht' })
  expect(markup).toContain('<html lang="pl" dir="ltr">')
  expect(markup).toContain('<body lang="en">')
  expect(markup).toContain('<h1><bdi lang="pl">Übersicht</bdi></h1>')
  expect(render({ language: 'constructor' })).toContain('<html lang="en" dir="ltr">')
})

test('an empty page is calm about it', () => {
  const markup = render({ monitors: [], groups: [], uptime_history: history([null, null]) })
  expect(markup).toContain('Nothing is monitored here yet')
  expect(markup).not.toMatch(/class="history"|Overall uptime|operational<\/h2>/)
})

test('the page tells its own uptime and history, and the key to its bars', () => {
  const monitors = [monitor(), monitor({ id: 2 })]
  const markup = render({ monitors, uptime_history: history([100, 98, null]) })
  expect(markup).toMatch(/<h2>Overall uptime<\/h2><p><b>99.00%<\/b> last 3 days/)
  expect(markup).toContain('id="page"')
  expect(markup).toContain('<ul class="key" aria-label="Key to the bars">')
})

test('the days of the only monitor are drawn once', () => {
  const markup = render({ uptime_history: history([100, 98, null]) })
  expect(markup).toMatch(/<h2>Overall uptime<\/h2>.*class="key"/)
  expect(markup.match(/class="history"/g)).toHaveLength(1)
})

test('a page that could not be made anew says so', () => {
  expect(render()).not.toContain('could not be refreshed')
  expect(render({}, { now: new Date('2026-11-21T09:45:00Z') })).toContain('could not be refreshed')
})

test('the payload’s overall status can be read from the page', () => {
  expect(render({ overall_status: 'partial' })).toContain('data-overall="partial"')
})

test('the same payload is the same page', () => {
  expect(render({}, { now })).toBe(render({}, { now }))
  expect(render()).toBe(render({}, { now }))
})

test('50 monitors over 90 days travel in less than 30 kB, over a year too', () => {
  for (const days of [90, 365]) {
    const monitors = Array.from({ length: 50 }, (_, i) => {
      const uptimes = Array.from({ length: days }, (_, day) => ((i * 31 + day * 17) % 41 === 0 ? 96 + (day % 4) : 100))
      return monitor({ id: i + 1, name: `service-${i}.example.com`, uptime_history: history(uptimes) })
    })
    const markup = render(
      { monitors, uptime_history: perfect(days) },
      { path: '/status/acme', url: 'https://status.example.com/status/acme' },
    )
    expect(gzipSync(markup).length).toBeLessThan(30_000)
  }
})
