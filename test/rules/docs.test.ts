import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']

describe('what the pages say is there', () => {
  test.each(pages)('%s links to files that exist', page => {
    const links = [...read(page).matchAll(/\]\(([^)#]+)\)/g)].map(([, to]) => to as string)
    expect(links.filter(to => !to.startsWith('http') && !existsSync(to))).toEqual([])
  })

  test.each(pages)('%s names paths that exist', page => {
    const paths = [...read(page).matchAll(/`((?:packages|bin|test|docs|scripts|examples|bench)\/[\w./-]*[\w/])`/g)]
    expect(paths.map(([, path]) => path as string).filter(path => !existsSync(path))).toEqual([])
  })

  test('npm scripts that are named exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = pages.flatMap(page =>
      [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string),
    )
    expect(named.filter(name => !(name in scripts))).toEqual([])
  })

  test('the README knows every room', () => {
    for (const name of readdirSync('packages')) expect(read('README.md')).toContain(`\`packages/${name}\``)
  })
})

test('decisions are numbered without gaps', () => {
  const numbers = readdirSync('docs/decisions').map(name => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

test('rulings that comments refer to are written down', () => {
  const written = new Set(
    [...read('docs/decisions/0001-rulings.md').matchAll(/^- \*\*(\d+)\*\*/gm)].map(([, number]) => number),
  )
  const files = readdirSync('packages', { recursive: true, encoding: 'utf8' }).filter(name =>
    /src[/\\].*\.tsx?$/.test(name),
  )
  const missing = files
    .filter(name => !name.includes('node_modules'))
    .flatMap(name =>
      [...read(join('packages', name)).matchAll(/rulings? (\d+)/g)].map(([, number]) => `${name}: ruling ${number}`),
    )
    .filter(line => !written.has(line.split(' ').at(-1)))
  expect(missing).toEqual([])
})

test('launchers in bin/ are fifteen lines at most', () => {
  for (const name of readdirSync('bin'))
    expect(read(join('bin', name)).trim().split('\n').length, name).toBeLessThanOrEqual(15)
})

test('nothing says where it was made', () => {
  const files = [...pages, ...readdirSync('docs/decisions').map(name => join('docs/decisions', name))]
  expect(files.filter(file => /\/work\/|\/tmp\/|session/i.test(read(file)))).toEqual([])
})
