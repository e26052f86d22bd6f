import { createCookieJar } from '../../web/outgoing/browser-cookies.ts'
import type { Message, Reply, Scene } from './scene.ts'

/** Location of the browser: a page of the hub, or a redirect to another origin. */
export type BrowserPlace = { page: Reply; path: string } | { left: URL }

/** Browser that shows only pages of the hub, and has no cookies at first. */
export interface Browser {
  open(path: string): Promise<BrowserPlace>
  submit(path: string, form: Readonly<Record<string, string>>): Promise<BrowserPlace>
}

/** Limit of redirects, as browsers have one. */
const mostRedirects = 10

export function createBrowser({
  url,
  send,
  realNow,
}: Pick<Scene, 'url' | 'send' | 'realNow'>): Browser {
  const jar = createCookieJar(realNow)
  // The sandbox may be behind a proxy with https, and is then sent its Secure cookies, too.
  const cookieUrl = (path: string) => new URL(path, url.replace(/^http:/, 'https:'))

  async function go(message: Message): Promise<BrowserPlace> {
    let next = message
    for (let count = 0; count <= mostRedirects; count++) {
      const reply = await send(withCookies(next))
      const lines = [reply.headers['set-cookie'] ?? []].flat()
      jar.store(cookieUrl(next.path), lines.map(String))
      const { location } = reply.headers
      if (reply.status < 300 || reply.status >= 400 || typeof location !== 'string') {
        return { page: reply, path: next.path }
      }
      const target = new URL(location, url)
      if (target.origin !== new URL(url).origin) return { left: target }
      next = { method: 'GET', path: `${target.pathname}${target.search}` }
    }
    throw new Error(`The Hub redirected the browser more than ${mostRedirects} times.`)
  }

  function withCookies(message: Message): Message {
    const cookie = jar.header(cookieUrl(message.path))
    return cookie === undefined ? message : { ...message, headers: { ...message.headers, cookie } }
  }

  return {
    open: (path) => go({ method: 'GET', path, headers: { accept: 'text/html' } }),
    submit: (path, form) => go({ method: 'POST', path, ...formBody(form) }),
  }
}

/** Encodes a form as a request body, with its headers. */
export function formBody(
  form: Readonly<Record<string, string>>,
): Required<Pick<Message, 'headers' | 'body'>> {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  }
}
