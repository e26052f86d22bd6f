import { messageOf } from '../../../../core/background.ts'
import type { AuditUser, Visit } from '../app-module.ts'
import { type CookieJar, createCookieJar } from '../../../../web/outgoing/browser-cookies.ts'
import { type Driver, DriverProblem, type DriverSession } from './driver.ts'

/** Access of the browser to the world. */
export interface BrowserDeps {
  /** Sends one request to a page of the app, within the policy for webhook targets. Follows no redirect. */
  visit(request: PageRequest): Promise<Page>
  /** Checks whether a URL is one of the hub that the sandbox emulates. */
  isHub(url: URL): boolean
  /** Answers an authorization request for a user. @returns the URL of the app to which the hub redirects */
  authorize(url: URL, user: string): Promise<string>
  /** Real time in milliseconds since 1970. */
  realNow(): number
}

export interface PageRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

export interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** At most 1 MiB; the rest is not read. */
  readonly body: string
}

export interface BrowserOptions {
  /** URL of the app that begins a sign-in. */
  readonly start: string
  readonly user: AuditUser
  /** URL that only signed-in users see. */
  readonly signedIn?: string | undefined
  /** Text that the page of a signed-in user has. */
  readonly signedInText?: string | undefined
  /** URL by which the app uses its token. */
  readonly use?: string | undefined
}

const mostRedirects = 20

/** Browser without JavaScript: follows redirects, keeps cookies and signs in at the hub. */
export function browserDriver(deps: BrowserDeps, options: BrowserOptions): Driver {
  return {
    canUse: options.use !== undefined,
    isBrowser: true,
    hasProbe: options.signedIn !== undefined,
    open: () => openSession(deps, options),
  }
}

interface Place {
  readonly jar: CookieJar
  readonly user: AuditUser
  /** Place at which the browser stops: the callback, without opening it, or the Hub. */
  readonly stopsAt?: 'callback' | 'hub'
}

function openSession(deps: BrowserDeps, options: BrowserOptions): DriverSession {
  const visits: Visit[] = []
  const freshPlace = (user = options.user): Place => ({
    jar: createCookieJar(() => deps.realNow()),
    user,
  })
  let place = freshPlace()
  let callback: URL | undefined
  let probedPage: string | undefined

  async function open(url: URL, { jar }: Place, step?: number): Promise<Page> {
    const cookie = jar.header(url)
    const headers = {
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'accept-language': 'en',
      'user-agent': 'Mozilla/5.0 (compatible; hub-sandbox audit)',
      ...(cookie === undefined ? {} : { cookie }),
    }
    let page: Page
    try {
      page = await deps.visit({ url, headers })
    } catch (error) {
      if (step !== undefined) visits.push(visitOf(step, url, undefined))
      throw new DriverProblem(`${shown(url)} could not be opened: ${messageOf(error)}.`, {
        cause: error,
      })
    }
    jar.store(url, [page.headers['set-cookie'] ?? []].flat())
    if (step !== undefined) visits.push(visitOf(step, url, page))
    return page
  }

  /** Follows redirects of the app and the hub to the page where they end. */
  async function follow(first: URL, from: Place, step: number): Promise<{ page?: Page; url: URL }> {
    let url = first
    for (let count = 0; count <= mostRedirects; count += 1) {
      if (deps.isHub(url)) {
        if (url.pathname !== '/oauth/authorize' || from.stopsAt === 'hub') return { url }
        url = new URL(await deps.authorize(url, from.user.username))
        if (from.stopsAt === 'callback') return { url }
        callback = url
        if (url.protocol !== 'http:' && url.protocol !== 'https:') {
          throw new DriverProblem(
            `The app is not a website: the Hub redirects to ${url.protocol}. Pass --command instead of --start.`,
          )
        }
        continue
      }
      const page = await open(url, from, step)
      const next = redirectOf(page, url)
      if (next === undefined) return { page, url }
      url = next
    }
    throw new DriverProblem(
      `${shown(first)} redirected the browser more than ${mostRedirects} times.`,
    )
  }

  async function start(from: Place, step: number): Promise<URL | undefined> {
    callback = undefined
    const end = await follow(new URL(options.start), from, step)
    if (from.stopsAt === 'callback') return end.page === undefined ? end.url : undefined
    if (callback === undefined) {
      const { page, url } = end
      const what =
        page === undefined ? 'led to another page of the Hub' : `responded with ${page.status}`
      throw new DriverProblem(
        `${shown(url)} ${what}, without a redirect to the Hub. Pass --start with the URL by which the app begins a sign-in, or --command if it needs JavaScript.`,
      )
    }
    return callback
  }

  return {
    visits,
    async signIn(step, other) {
      place = freshPlace(other)
      await start(place, step)
    },
    async use(step, times) {
      const url = new URL(options.use ?? options.start)
      const from = place
      const uses = Array.from({ length: times }, () => follow(url, from, step))
      const failed = (await Promise.allSettled(uses)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    },
    async callbackAgain(step) {
      if (callback === undefined) throw new DriverProblem('The hub sent no callback.')
      await follow(callback, place, step)
    },
    async foreignCallback(step, other) {
      const url = await start({ ...freshPlace(other), stopsAt: 'callback' }, step)
      if (url === undefined)
        throw new DriverProblem('The app did not begin the sign-in of another user.')
      // An app may begin a sign-in of this browser instead, which its user would see.
      place = { ...freshPlace(), stopsAt: 'hub' }
      await follow(url, place, step)
    },
    async probe() {
      const url = new URL(options.signedIn ?? options.start)
      const page = await open(url, place)
      if (page.status >= 500) {
        throw new DriverProblem(`${shown(url)} responded with the status ${page.status}.`)
      }
      probedPage = page.body
      const isThere = page.status >= 200 && page.status < 300
      return (
        isThere && (options.signedInText === undefined || page.body.includes(options.signedInText))
      )
    },
    probedPage: () => probedPage,
    async isAlive() {
      try {
        await open(new URL(options.start), freshPlace())
        return true
      } catch {
        // The reason does not matter: the visits of the sign-in show it.
        return false
      }
    },
  }
}

function redirectOf({ status, headers }: Page, url: URL): URL | undefined {
  const location = [headers['location'] ?? []].flat()[0]
  if (status < 300 || status >= 400 || location === undefined) return undefined
  return URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
}

function visitOf(step: number, url: URL, page: Page | undefined): Visit {
  const location = [page?.headers['location'] ?? []].flat()[0]
  return {
    step,
    method: 'GET',
    url: url.href,
    status: page?.status ?? 0,
    contentType: String(page?.headers['content-type'] ?? ''),
    body: page?.body ?? '',
    ...(location === undefined ? {} : { location }),
  }
}

/** A URL for a sentence: without its query, which may have a code. */
function shown(url: URL): string {
  return `${url.origin}${url.pathname}`
}
