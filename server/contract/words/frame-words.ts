// Words of Space frames: an app in a cross-site frame, as the Hub embeds a Space.

/**
 * Rules for the cookies of the framed app: those of the browser alone; only `Partitioned` cookies, as where third-party
 * cookies are blocked; none.
 */
export const cookieModes = ['browser', 'partitioned', 'blocked'] as const
export type CookieMode = (typeof cookieModes)[number]

/** Modes by name, with what they do. */
export const cookieModeTexts: Readonly<Record<CookieMode, { name: string; does: string }>> = {
  browser: {
    name: 'As your browser',
    does: 'Your browser alone decides which cookies it stores and sends.',
  },
  partitioned: {
    name: 'Third-party cookies blocked',
    does: 'In the frame the app gets only cookies with Partitioned (CHIPS), as in browsers that block third-party cookies.',
  },
  blocked: {
    name: 'No cookies in frames',
    does: 'In the frame the app gets no cookies, as in browsers without Partitioned cookies.',
  },
}

/** Places in which a browser shows the app. `unknown`: its requests do not say. */
export const framePlaces = ['frame', 'direct', 'unknown'] as const
export type FramePlace = (typeof framePlaces)[number]

/** Reasons why a cookie did not reach the app. */
export const cookieReasons = [
  'same-site',
  'secure',
  'partitioned-without-secure',
  'prefix',
  'domain',
  'size',
  'path',
  'host',
  'expired',
  'partition',
  'third-party',
  'redirect',
  'mode',
  'unknown',
] as const
export type CookieReason = (typeof cookieReasons)[number]

/** States of a cookie in a request to the app. */
export const cookieStates = ['sent', 'not-sent'] as const
export type CookieState = (typeof cookieStates)[number]
