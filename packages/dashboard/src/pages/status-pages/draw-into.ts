/**
 * Shows a page that the server has drawn in a frame of ours, without loading anything: what is scrolled to and unfolded
 * stays. Policies allow no style element that is written into a page, so its style becomes a constructed sheet; its
 * script is left out.
 */
export function drawInto(frame: Document, page: string): void {
  const window = frame.defaultView
  if (window === null) return
  let css = ''
  const markup = page
    .replace(/<style>(.*?)<\/style>/s, (_, text: string) => {
      css = text
      return ''
    })
    .replace(/<script>.*?<\/script>/gs, '')
  const drawn = new DOMParser().parseFromString(markup, 'text/html')
  const sheet = new window.CSSStyleSheet()
  sheet.replaceSync(css)
  const open = [...frame.querySelectorAll('details[open]')].map(({ id }) => id)
  for (const link of drawn.querySelectorAll('a')) {
    Object.assign(link, { target: '_blank', rel: 'noreferrer' })
    // Within the frame it would lead to the dashboard, whose address the frame has.
    if (link.getAttribute('href')?.startsWith('#')) link.removeAttribute('href')
  }
  frame.documentElement.lang = drawn.documentElement.lang
  frame.documentElement.dir = drawn.documentElement.dir
  frame.adoptedStyleSheets = [sheet]
  frame.body.replaceWith(frame.adoptNode(drawn.body))
  for (const id of open) frame.getElementById(id)?.setAttribute('open', '')
}
