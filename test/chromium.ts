import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core'
import type { World } from './world.ts'

/** What finds faults against WCAG, as text: the policies of our pages allow no script of others. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Runs in the page: faults against WCAG 2.2 AA as axe finds them, and by how much it is too wide. */
const look = (rules: string[]) => `(async () => {
  const runOnly = ${JSON.stringify(rules)}
  const { violations } = await axe.run(document, { runOnly, iframes: false, resultTypes: ['violations'] })
  const wide = document.documentElement.scrollWidth - innerWidth
  const named = violations.map(({ id, nodes }) => id + ': ' + nodes.map(node => node.target.join(' ')).join(', '))
  return wide > 0 ? [...named, wide + ' pixels too wide'] : named
})()`

/** A real browser, with nothing kept from before. */
export async function startChromium(): Promise<Browser> {
  const executablePath = await chromium.executablePath()
  return playwright.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], headless: true })
}

/** Somebody at a browser. What goes wrong in the page is gathered, and is for the test to look at. */
export class Visit {
  readonly page: Page
  readonly context: BrowserContext
  readonly url: string
  readonly troubles: string[] = []

  private constructor(context: BrowserContext, page: Page, url: string) {
    this.context = context
    this.page = page
    this.url = url
    page.on('pageerror', error => this.troubles.push(error.message))
    page.on('console', message => {
      // What the server refuses is said here, too, and is part of some journeys.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) this.troubles.push(message.text())
    })
  }

  static async begin(browser: Browser, world: World, options: { width?: number; dark?: boolean } = {}): Promise<Visit> {
    const { width = 1440, dark = false } = options
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: { width, height: width < 500 ? 844 : 900 },
      colorScheme: dark ? 'dark' : 'light',
    })
    context.setDefaultTimeout(30_000)
    return new Visit(context, await context.newPage(), world.url)
  }

  /** Opens a page of the dashboard: `/monitors`. */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/app${path}`)
  }

  /** Goes to a page as its links do: without loading everything anew. */
  async go(path: string): Promise<void> {
    await this.page.evaluate(`history.pushState(null, '', '/app${path}'), dispatchEvent(new PopStateEvent('popstate'))`)
  }

  /** The same page in another window and other colours. */
  async look({ width = 1440, dark = false }: { width?: number; dark?: boolean }): Promise<void> {
    await this.page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
    await this.page.setViewportSize({ width, height: width < 500 ? 844 : 900 })
  }

  async logIn({ email, password }: { email: string; password: string }): Promise<void> {
    const { page } = this
    await this.open('')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('nav[aria-label=Main]').waitFor({ state: 'attached' })
  }

  /** Faults against WCAG 2.2 AA, and what is wider than the window. @param rules which of axe's; all if absent */
  async faults(rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']): Promise<string[]> {
    const { page } = this
    // Kept by a page that is gone to by its own links: reading it again takes longer than the look.
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
    const found: string[] = await page.evaluate(look(rules))
    return found.map(fault => `${page.url()} ${fault}`)
  }
}
