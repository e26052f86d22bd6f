import type { CookieReason, FramePlace } from '../../contract/words/frame-words.ts'
import type { CookieVerdict } from '../../contract/control-frames.ts'
import { shortened } from '../../core/shortened.ts'
import { isoTime } from '../../core/time.ts'
import { endOf, isPathWithin, type SetCookie } from '../../web/outgoing/set-cookie.ts'

/** A cookie that the app has set; its value is not kept. */
export interface KnownCookie extends Omit<SetCookie, 'value'> {
  /** Host that set it, without port. */
  readonly host: string
  /** Path that it is sent with. */
  readonly sentBelow: string
  /** Where the app was shown when it set the cookie. */
  readonly place: FramePlace
  readonly setAtMs: number
  /** Reason why browsers do not store it. */
  readonly refusal?: CookieVerdict
}

/** A request of the browser, as far as cookies depend on it. */
export interface CookieSituation {
  readonly place: FramePlace
  /** Host that the request names, without port. */
  readonly host: string
  readonly path: string
  readonly method: string
  /** `Sec-Fetch-Site`: the site that caused the request. */
  readonly site?: string | undefined
  /** `Sec-Fetch-Storage-Access`: whether this browser sends third-party cookies here. */
  readonly storageAccess?: string | undefined
  readonly nowMs: number
}

/** Attributes of a cookie that works in a frame of another site. */
export const attributesForFrames = 'SameSite=None; Secure; Partitioned'
const setForFrames = `Set ${attributesForFrames}.`
/** Most characters of name and value together. */
export const mostCharacters = 4096

/** Requests in a frame, and those that may be: a browser that does not say so is treated as framing the app. */
export function isFramed(place: FramePlace): boolean {
  return place !== 'direct'
}

/**
 * Returns why browsers do not store a cookie of a response.
 * @see RFC 6265bis §5.7 (storage model), CHIPS (`Partitioned`)
 */
export function refusalOf(
  cookie: SetCookie,
  { place, host }: Pick<CookieSituation, 'place' | 'host'>,
): CookieVerdict | undefined {
  const { name, value, sameSite, secure, partitioned, domain, path } = cookie
  const size = name.length + value.length
  if (size > mostCharacters) {
    return notSent(
      'size',
      `Name and value have ${size} characters, and browsers refuse more than ${mostCharacters}.`,
      'Store less in it, such as the id of a session.',
    )
  }
  if (/^__(?:host|secure)-/i.test(name) && !secure) {
    return notSent('prefix', 'The prefix of its name requires Secure.', 'Add Secure.')
  }
  if (/^__host-/i.test(name) && (domain !== undefined || path !== '/')) {
    return notSent(
      'prefix',
      'The prefix __Host- requires Path=/ and no Domain.',
      'Set Path=/ and remove Domain.',
    )
  }
  if (sameSite === 'None' && !secure) {
    return notSent('secure', 'Browsers refuse SameSite=None without Secure.', setForFrames)
  }
  if (partitioned && !secure) {
    return notSent(
      'partitioned-without-secure',
      'Browsers refuse Partitioned without Secure.',
      setForFrames,
    )
  }
  if (domain !== undefined && !isDomainOf(domain, host)) {
    return notSent(
      'domain',
      `Domain=${short(domain)} does not cover the host ${short(host)}, so browsers refuse it.`,
      'Remove Domain.',
    )
  }
  if (isFramed(place) && sameSite !== 'None') {
    return notSent(
      'same-site',
      `${sameSiteText(sameSite)}, so browsers do not store it when it is set in a frame of another site.`,
      setForFrames,
    )
  }
  return undefined
}

/** Returns why a browser did not send a cookie with a request. */
export function absenceOf(cookie: KnownCookie, situation: CookieSituation): CookieVerdict {
  const { place, host, path, method, site, storageAccess, nowMs } = situation
  if (cookie.refusal !== undefined) return cookie.refusal
  const end = endOf({ ...cookie, value: '' }, cookie.setAtMs)
  if (end !== undefined && end <= nowMs) {
    return notSent(
      'expired',
      `It expired at ${isoTime(end)}.`,
      'Set a longer Max-Age, or sign in again.',
    )
  }
  if (cookie.domain === undefined && cookie.host !== host) {
    return notSent(
      'host',
      `It was set for ${short(cookie.host)}, and this request went to ${short(host)}.`,
      'Use one host name: build redirect URIs from the Host header or SPACE_HOST.',
    )
  }
  if (!isPathWithin(path, cookie.sentBelow)) {
    return notSent(
      'path',
      `It is sent only with paths below ${short(cookie.sentBelow)}, and this one is ${short(path)}.`,
      'Set Path=/.',
    )
  }
  const { sameSite } = cookie
  if (isFramed(place) && sameSite !== 'None') {
    return notSent(
      'same-site',
      `${sameSiteText(sameSite)}, so browsers do not send it in a frame of another site.`,
      setForFrames,
    )
  }
  if (site === 'cross-site' && sameSite === 'Strict') {
    return notSent(
      'redirect',
      'SameSite=Strict: browsers do not send it with a redirect from another site, such as the one from the Hub.',
      'Set SameSite=Lax; in a frame SameSite=None; Secure; Partitioned.',
    )
  }
  if (site === 'cross-site' && sameSite !== 'None' && method !== 'GET' && method !== 'HEAD') {
    return notSent(
      'redirect',
      `${sameSiteText(sameSite)}, so browsers do not send it with a ${method} from another site.`,
      setForFrames,
    )
  }
  if (cookie.partitioned && isFramed(cookie.place) !== isFramed(place)) {
    return notSent(
      'partition',
      isFramed(place)
        ? 'It is Partitioned and was set while the app was open directly; the frame has its own partition.'
        : 'It is Partitioned and was set in the frame; the app opened directly has its own partition.',
      'Set it in both places: a sign-in in another tab does not sign the frame in.',
    )
  }
  if (isFramed(place) && !cookie.partitioned) {
    const isKnown = storageAccess === 'none' || storageAccess === 'inactive'
    return notSent(
      'third-party',
      isKnown
        ? 'This browser blocks third-party cookies, and it is not Partitioned.'
        : 'It is not Partitioned, and this browser seems to block third-party cookies.',
      setForFrames,
    )
  }
  if (isFramed(cookie.place) !== isFramed(place)) {
    return notSent(
      'partition',
      'It was set in the frame, and this browser keeps cookies of frames apart.',
      'Set it in both places.',
    )
  }
  return notSent(
    'unknown',
    'The browser did not send it although its attributes allow it: a script or the user may have deleted it.',
  )
}

/** Returns a problem of a cookie that works in this browser, but not in others. */
export function adviceOn({ sameSite, partitioned, secure }: KnownCookie): string | undefined {
  if (sameSite !== 'None' || !secure || partitioned) return undefined
  return `Browsers that block third-party cookies do not send it in the frame: add Partitioned.`
}

export function notSent(reason: CookieReason, explanation: string, fix?: string): CookieVerdict {
  return { state: 'not-sent', reason, explanation, ...(fix === undefined ? {} : { fix }) }
}

/** Input may be of any size. */
function short(text: string): string {
  return shortened(text, 200)
}

function sameSiteText(sameSite: SetCookie['sameSite']): string {
  return sameSite === undefined ? 'It has no SameSite, which means Lax' : `SameSite=${sameSite}`
}

/** Domain match of RFC 6265 §5.1.3; an IP address matches only itself. */
function isDomainOf(domain: string, host: string): boolean {
  if (domain === host) return domain !== 'localhost'
  return host.endsWith(`.${domain}`) && !/^[\d.]+$|:/.test(host) && domain !== 'localhost'
}
