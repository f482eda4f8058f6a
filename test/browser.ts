import { type Answer, ask } from './people.ts'

/** What a browser keeps for one person: the cookie, and what our page read with it. */
export class Browser {
  readonly url: string
  cookie = ''
  csrf = ''

  constructor(url: string) {
    this.url = url
  }

  /** A request of a page of this site, as a browser sends it; a header of its own may be undefined to be left out. */
  async ask(method: string, path: string, body?: unknown, more: Record<string, string | undefined> = {}) {
    const usual = { cookie: this.cookie, origin: this.url, 'x-csrf-token': this.csrf, ...more }
    const headers = Object.entries(usual).filter(([, value]) => value !== undefined && value !== '')
    const answer = await ask(this.url, method, path, body, Object.fromEntries(headers) as Record<string, string>)
    this.keep(answer)
    return answer
  }

  get = (path: string, more?: Record<string, string | undefined>) => this.ask('GET', path, undefined, more)
  post = (path: string, body: unknown = {}, more?: Record<string, string | undefined>) =>
    this.ask('POST', path, body, more)
  put = (path: string, body: unknown) => this.ask('PUT', path, body)
  patch = (path: string, body: unknown) => this.ask('PATCH', path, body)
  delete = (path: string) => this.ask('DELETE', path)

  logIn = (email: string, password: string, more: object = {}) =>
    this.post('/api/session', { email, password, ...more })

  private keep({ headers, body }: Answer): void {
    for (const cookie of headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1)
      this.cookie = pair.endsWith('=') ? '' : pair
    }
    if (body?.data?.csrf_token !== undefined) this.csrf = body.data.csrf_token
  }
}
