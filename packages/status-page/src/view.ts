import { axisOf } from './days.ts'
import { Format } from './format.ts'
import { type Html, html } from './html.ts'
import { linked } from './linked.ts'
import type { ShownPage } from './shown-page.ts'
import { type Words, wordsFor } from './words.ts'

/** What every part of the page is drawn from. */
export type View = {
  payload: ShownPage
  words: Words
  format: Format
  now: Date
  /** The days of every history on the page, oldest first. */
  axis: string[]
  /** The language the people of this page write in. */
  language: string
  /** The language of `words`, which differs while that one has no translation. */
  spoken: string
}

export function viewOf(payload: ShownPage, now: Date): View {
  const language = /^[a-z]{2}$/.test(payload.language) ? payload.language : 'en'
  const { words, spoken } = wordsFor(language)
  return { payload, words, format: new Format(words.locale), now, axis: axisOf(payload), language, spoken }
}

/** Text that people wrote: in their language, and in its own direction whatever characters it holds. */
export function written(text: string, view: View): Html {
  return view.language === view.spoken ? html`<bdi>${text}</bdi>` : html`<bdi lang="${view.language}">${text}</bdi>`
}

/** A paragraph that people wrote, laid out in its own direction and kept to the page's margin. */
export function paragraph(text: string, view: View): Html {
  return html`<p dir="auto"${view.language !== view.spoken && html` lang="${view.language}"`}>${linked(text)}</p>`
}

/** A moment, readable by people and by machines. */
export function moment(timestamp: string, view: View): Html {
  return time(timestamp, view.format.time(timestamp))
}

/** From one moment to another; the day is said once where it is the same. */
export function period(from: string, to: string, view: View): Html {
  return html`${moment(from, view)} – ${time(to, view.format.timeAfter(from, to))}`
}

const time = (timestamp: string, text: string | undefined): Html =>
  text === undefined ? html`${timestamp}` : html`<time datetime="${timestamp}">${text}</time>`
