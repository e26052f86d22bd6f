import type { FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import { requesterOf } from '../../web/plugins/fetch-metadata.ts'

/**
 * Checks whether a page of the Hub may be shown in a frame: only in an open Space frame whose app has sent the frame to its
 * sign-in, as Gradio's does on the Hub. The headers of the page then allow frames of the dashboard only, so a browser shows it
 * neither in a frame of another page nor in one that the app creates.
 */
export function mayBeFramed(
  { frames }: Pick<HubServices, 'frames'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): boolean {
  return requesterOf(headers) === 'frame' && frames.list().length > 0
}

/**
 * Checks whether a request comes from a frame of another site, where the Hub has no session: its cookie is `SameSite=Lax`.
 * For a browser, an app on another port of localhost is of the sandbox's site and gets its cookie; it would not be of the
 * Hub's site. A Space frame has another host, so there the browser decides.
 */
export function isForeignFrame(
  deps: Pick<HubServices, 'frames'>,
  request: Pick<FastifyRequest, 'headers'>,
): boolean {
  const site = request.headers['sec-fetch-site']
  if (requesterOf(request.headers) !== 'frame' || site === 'same-origin') return false
  return site === 'same-site' || !mayBeFramed(deps, request)
}
