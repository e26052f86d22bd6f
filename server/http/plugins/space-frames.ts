import type { FastifyRequest } from 'fastify'
import type { ServerDeps } from '../server-deps.ts'
import { requesterOf } from './fetch-metadata.ts'

/**
 * Checks whether a page of the Hub may be shown in a frame: a Space frame is open, whose app has sent the frame to its
 * sign-in, as Gradio's does on the Hub. The page's own headers then allow frames of the dashboard only, so a browser
 * shows it in no frame of another page, nor in one that the app makes itself.
 */
export function mayBeFramed(
  { frames }: Pick<ServerDeps, 'frames'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): boolean {
  return requesterOf(headers) === 'frame' && frames.list().length > 0
}

/**
 * Checks whether a request comes from a frame of another site, where the Hub has no session: its cookie is `SameSite=Lax`.
 * Apps on other ports of localhost are of the same site for browsers, which send them the sandbox's cookie, but never of the
 * Hub's. A Space frame has another host, so there the browser decides.
 */
export function isForeignFrame(
  deps: Pick<ServerDeps, 'frames'>,
  request: Pick<FastifyRequest, 'headers'>,
): boolean {
  const site = request.headers['sec-fetch-site']
  if (requesterOf(request.headers) !== 'frame' || site === 'same-origin') return false
  return site === 'same-site' || !mayBeFramed(deps, request)
}
