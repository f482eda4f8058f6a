import { expect, test } from 'vitest'
import { languages, type Texts, wordsFor } from './words.ts'

type Tree = { [key: string]: string | Tree }

const isPlural = (part: string | Tree): part is Record<string, string> => typeof part === 'object' && 'other' in part

/** Every text by its path; of a plural the form for most numbers. */
function textsOf(tree: Tree, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, part]): [string, string][] => {
    if (typeof part === 'string') return [[path + key, part]]
    return isPlural(part) ? [[path + key, part.other as string]] : textsOf(part, `${path}${key}.`)
  })
}

function pluralsOf(tree: Tree, path = ''): [string, Record<string, string>][] {
  return Object.entries(tree).flatMap(([key, part]): [string, Record<string, string>][] => {
    if (typeof part === 'string') return []
    return isPlural(part) ? [[path + key, part]] : pluralsOf(part, `${path}${key}.`)
  })
}

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
const english = textsOf(languages.en as Texts as unknown as Tree)

test('the languages of the page are these', () => {
  expect(Object.keys(languages).sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt'])
})

test.each(Object.entries(languages))('%s has every text of English, none empty, and no other', (_, texts) => {
  const all = textsOf(texts as unknown as Tree)
  expect(all.map(([path]) => path).sort()).toEqual(english.map(([path]) => path).sort())
  expect(all.filter(([, text]) => text.trim() === '')).toEqual([])
})

test.each(Object.entries(languages))('%s fills in what English fills in', (_, texts) => {
  const own = new Map(textsOf(texts as unknown as Tree))
  for (const [path, text] of english)
    expect([path, placeholders(own.get(path) as string)]).toEqual([path, placeholders(text)])
})

test.each(Object.entries(languages))('%s has a form for every number of days or monitors', (_, texts) => {
  const rules = new Intl.PluralRules(texts.locale)
  const needed = [...new Set(Array.from({ length: 2001 }, (_, n) => rules.select(n)))].sort()
  for (const [path, forms] of pluralsOf(texts as unknown as Tree))
    expect([path, Object.keys(forms).sort()]).toEqual([path, needed])
})

test('numbers take the form of their language', () => {
  const { words } = wordsFor('ar')
  expect([1, 2, 3, 11].map(words.troubledDays)).toEqual([
    'يوم واحد فيه توقف',
    'يومان فيهما توقف',
    '3 أيام فيها توقف',
    '11 يومًا فيها توقف',
  ])
  expect(wordsFor('de').words.daysAgo(1)).toBe('vor 1 Tag')
  expect(wordsFor('ja').words.downOf(2, 5)).toBe('5 件中 2 件が停止')
})

test('a language without a translation speaks English', () => {
  expect(wordsFor('tlh')).toMatchObject({ spoken: 'en' })
  expect(wordsFor('constructor').spoken).toBe('en')
})
