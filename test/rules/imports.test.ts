import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

// Which of our rooms may open which door; each package.json states the same.
const arrows: Record<string, string[]> = {
  contract: [],
  checks: ['contract'],
  probe: ['contract', 'checks'],
  store: [],
  'status-page': ['contract'],
  server: ['contract', 'checks', 'store', 'status-page'],
  cli: ['contract', 'checks'],
  dashboard: ['contract'],
  rum: ['contract'],
}

const packages = readdirSync('packages')
const manifest = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
const toolsForTests = Object.keys(manifest('.').devDependencies)

function sources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map(name => join(directory, name))
}

/** What a file imports, types and dynamic imports included. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(
    /(?:^|[^\w.])(?:import|export)\b[^'"()]*?\bfrom\s*['"]([^'"]+)['"]|(?<!['"])\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
  )
  return [...found].map(([, from, called]) => from ?? called ?? '')
}

const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
const isForTests = (file: string) => /\.test\.tsx?$|[/\\]testing[/\\]/.test(file)

test('every room is known here', () => {
  expect(packages.toSorted()).toEqual(Object.keys(arrows).toSorted())
})

describe.each(packages)('%s', name => {
  const directory = join('packages', name)
  const stated = Object.keys(manifest(directory).dependencies ?? {})

  test('states the arrows it may have, and no others', () => {
    const ours = stated
      .filter(dependency => dependency.startsWith('@watchpost/'))
      .map(dependency => dependency.slice(11))
    expect(ours.toSorted()).toEqual((arrows[name] ?? []).toSorted())
  })

  test('imports only what it states', () => {
    const strays = sources(join(directory, 'src')).flatMap(file =>
      importsOf(file)
        .filter(specifier => !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(packageOf)
        .filter(wanted => !stated.includes(wanted) && !(isForTests(file) && toolsForTests.includes(wanted)))
        .map(wanted => `${relative('.', file)} imports ${wanted}`),
    )
    expect(strays).toEqual([])
  })

  test('reaches into no other room by path', () => {
    const strays = sources(join(directory, 'src')).flatMap(file =>
      importsOf(file)
        .filter(specifier => specifier.startsWith('.'))
        .filter(specifier => relative(directory, resolve(dirname(file), specifier)).startsWith('..'))
        .map(specifier => `${file} imports ${specifier}`),
    )
    expect(strays).toEqual([])
  })

  test('names built-in modules with node:', () => {
    const bare = sources(join(directory, 'src')).flatMap(file =>
      importsOf(file).filter(it => builtinModules.includes(it) && !it.startsWith('node:')),
    )
    expect(bare).toEqual([])
  })
})

test('no room is called after what could hold anything', () => {
  const vague = /(^|[/\\])(utils?|helpers?|common|services?|managers?|misc)(\.tsx?)?([/\\]|$)/
  expect(packages.flatMap(name => sources(join('packages', name))).filter(file => vague.test(file))).toEqual([])
})
