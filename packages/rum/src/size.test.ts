import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

test('what a visitor loads is under 5 kB, web-vitals included', async () => {
  const { buildRum } = await import(new URL('../../../scripts/build-rum.ts', import.meta.url).href)
  const directory = await mkdtemp(join(tmpdir(), 'watchpost-rum-'))
  try {
    await buildRum(directory)
    for (const name of ['rum.js', 'rum.mjs']) {
      const text = await readFile(join(directory, name), 'utf8')
      expect(gzipSync(text, { level: 9 }).length, name).toBeLessThan(5000)
      for (const metric of ['LCP', 'INP', 'CLS', 'FCP', 'TTFB']) expect(text).toContain(`"${metric}"`)
      expect(text).not.toMatch(/document\.cookie|interaction-contentful-paint/)
    }
  } finally {
    await rm(directory, { recursive: true })
  }
})
