import ar from './languages/ar.json' with { type: 'json' }
import de from './languages/de.json' with { type: 'json' }
import en from './languages/en.json' with { type: 'json' }
import es from './languages/es.json' with { type: 'json' }
import fr from './languages/fr.json' with { type: 'json' }
import ja from './languages/ja.json' with { type: 'json' }
import pt from './languages/pt.json' with { type: 'json' }

/** A text for each form of number that a language has, by the words of `Intl.PluralRules`. */
type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

type Translated<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends { other: string } ? Plural : Translated<T[K]>
}

/** What a file of `languages/` holds. The compiler asks every one for every text that English has. */
export type Texts = Translated<typeof en>

/** A translation is one more file in `languages/` and its line here. */
export const languages: Record<string, Texts> = { ar, de, en, es, fr, ja, pt }

/** Every word on the page, with what varies filled in. */
export type Words = ReturnType<typeof speak>

const spoken = new Map<string, Words>()

/** The words to use and the language they are in, which is English where there is no translation yet. */
export function wordsFor(language: string): { words: Words; spoken: string } {
  const name = Object.hasOwn(languages, language) ? language : 'en'
  const known = spoken.get(name) ?? speak(languages[name] as Texts)
  spoken.set(name, known)
  return { words: known, spoken: name }
}

function speak(texts: Texts) {
  const rules = new Intl.PluralRules(texts.locale)
  const number = new Intl.NumberFormat(texts.locale)
  const filled = (text: string, values: Record<string, string | number>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? ''
      return typeof value === 'number' ? number.format(value) : value
    })
  const counted = (plural: Plural) => (n: number) => filled(plural[rules.select(n)] ?? plural.other, { n })
  const overDays = counted(texts.overDays)
  return {
    ...texts,
    counts: {
      operational: counted(texts.counts.operational),
      down: counted(texts.counts.down),
      unknown: counted(texts.counts.unknown),
      maintenance: counted(texts.counts.maintenance),
    },
    overDays,
    daysAgo: counted(texts.daysAgo),
    troubledDays: counted(texts.troubledDays),
    unwatchedDays: counted(texts.unwatchedDays),
    earlier: counted(texts.earlier),
    andMore: counted(texts.andMore),
    updates: counted(texts.updates),
    downOf: (n: number, total: number) => filled(texts.downOf, { n, total }),
    pageOf: (n: number, total: number) => filled(texts.pageOf, { n, total }),
    historyOf: (name: string, days: number) => filled(texts.historyOf, { name, span: overDays(days) }),
    mailConfirm: (title: string) => filled(texts.mailConfirm, { title }),
    mailWhy: (title: string) => filled(texts.mailWhy, { title }),
  }
}
