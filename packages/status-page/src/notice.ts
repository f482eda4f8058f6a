import { contentSecurityPolicy } from './content-security-policy.ts'
import { type Html, html, trusted } from './html.ts'
import { brand, openBody, openHtml, type Rendered } from './page.ts'
import type { ShownPage } from './shown-page.ts'
import { frameOf } from './style.ts'
import { viewOf } from './view.ts'
import { type Words, wordsFor } from './words.ts'

/** A step on the way to being told by e-mail, or away from it. */
export type Step =
  | { step: 'ask'; action: string /** What was sent is no address. */; wrong?: boolean }
  | { step: 'confirm' | 'leave'; action: string }
  | { step: 'sent' | 'confirmed' | 'left' }

/** A small page beside the status page, for one step of a subscription. Works without a script. */
export function renderStep(payload: ShownPage, pagePath: string, at: Step): Rendered {
  const view = viewOf(payload, new Date(payload.updated_at))
  const { words } = view
  const { heading, text } = said(at, words)
  const style = frameOf(view)
  const body = `<!doctype html>${
    html`${openHtml(view)}<head><meta charset="utf-8"><title>${heading} – ${payload.title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer"><style>${trusted(style)}</style></head>${openBody(view)}${brand(view)}
    <main><section class="card note"><h2>${heading}</h2><p>${text}</p>${form(at, words)}
    <p><a href="${pagePath}">${words.back}</a></p></section></main></body></html>`.markup
  }`
  return { body, policy: contentSecurityPolicy({ styles: [style], form: 'action' in at }) }
}

/** The same to a reader of a page that is not public any more: nothing of it, but its language. */
export function renderPlainStep(language: string, at: Step): Rendered {
  const { words } = wordsFor(language)
  const { heading, text } = said(at, words)
  const body = `<!doctype html>${
    html`<html lang="${words.locale}" dir="${words.direction}"><head><meta charset="utf-8"><title>${heading}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
    <meta name="referrer" content="no-referrer"></head><body><main><h1>${heading}</h1><p>${text}</p>${form(at, words)}
    </main></body></html>`.markup
  }`
  return { body, policy: contentSecurityPolicy({ styles: [], form: 'action' in at }) }
}

function said({ step }: Step, words: Words): { heading: string; text: string } {
  switch (step) {
    case 'ask':
      return { heading: words.subscribeHeading, text: words.subscribeText }
    case 'sent':
      return { heading: words.sentHeading, text: words.sentText }
    case 'confirm':
      return { heading: words.confirmHeading, text: words.confirmText }
    case 'confirmed':
      return { heading: words.confirmedHeading, text: words.confirmedText }
    case 'leave':
      return { heading: words.leaveHeading, text: '' }
    case 'left':
      return { heading: words.leftHeading, text: words.leftText }
  }
}

function form(at: Step, words: Words): Html | false {
  switch (at.step) {
    case 'ask':
      return html`<form method="post" action="${at.action}"><label for="email">${words.emailLabel}</label>
        <input id="email" name="email" type="email" required maxlength="254" autocomplete="email" dir="ltr"${at.wrong && html` aria-invalid="true" aria-describedby="trouble"`}>
        ${at.wrong && html`<p id="trouble" role="alert">${words.emailWrong}</p>`}
        <button>${words.subscribe}</button></form>`
    case 'confirm':
      return html`<form method="post" action="${at.action}"><button>${words.confirm}</button></form>`
    case 'leave':
      return html`<form method="post" action="${at.action}"><button>${words.leave}</button></form>`
    default:
      return false
  }
}
