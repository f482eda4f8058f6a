import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  optionalDependencies?: Record<string, string>
}

// npm install drops the packages of other platforms from the lock when they are not at hand, and npm ci then refuses it.
test('the lock file names every optional package, of every platform', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }
  const missing = Object.entries(packages).flatMap(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter(
      name => !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages),
    ),
  )
  expect(missing).toEqual([])
})
