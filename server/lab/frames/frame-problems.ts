import type { StartedSignIn } from '../../inspect/flows/frame-call.ts'
import type { IncomingHttpHeaders } from 'node:http'

/** Returns the authorization request that a response of the app redirects to, if it does. */
export function startedSignIn(location: string): StartedSignIn | undefined {
  if (!URL.canParse(location)) return undefined
  const { pathname, searchParams } = new URL(location)
  if (pathname !== '/oauth/authorize') return undefined
  const [clientId = '', state = '', redirectUri = ''] = ['client_id', 'state', 'redirect_uri'].map(
    (name) => searchParams.get(name) ?? undefined,
  )
  return { clientId, state, redirectUri }
}

/**
 * Returns why a sign-in leaves the frame.
 * @param host host and port at which the browser has the frame
 */
export function redirectProblem(
  { redirectUri }: StartedSignIn,
  host: string,
  target: URL,
): string | undefined {
  if (!URL.canParse(redirectUri)) return undefined
  const asked = new URL(redirectUri)
  if (asked.host === host) return undefined
  const where = asked.host === target.host ? 'the app itself' : 'another host'
  return `The redirect URI ${shown(asked.origin + asked.pathname)} is on ${where}, not on the frame's host ${host}: the browser sends none of the frame's cookies there, and the frame does not see the callback. Build it from the Host header or SPACE_HOST.`
}

/** Returns why a browser does not show a document of the app in the frame. */
export function framingProblem(headers: IncomingHttpHeaders): string | undefined {
  const policies = [headers['content-security-policy'] ?? ''].flat().join(', ')
  const ancestors = /(?:^|[;,])\s*frame-ancestors\s+([^;,]*)/i.exec(policies)?.[1]?.trim()
  if (ancestors !== undefined) {
    return `The app allows itself to be framed by ${shown(ancestors)} only (frame-ancestors in Content-Security-Policy), so the frame may stay empty here.`
  }
  const options = headers['x-frame-options']
  if (typeof options !== 'string') return undefined
  return `The app forbids to be framed by another site (X-Frame-Options: ${shown(options)}): the frame stays empty, on the Hub as well. Remove the header, or send frame-ancestors https://huggingface.co.`
}

function shown(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
