import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isSentBySandbox } from '../../core/delivery-marks.ts'
import { equalSecrets } from '../../core/secrets.ts'
import type { Settings } from '../../core/settings.ts'
import { cookieOfPort, readCookies, severalCookies } from './cookies.ts'
import { isOwnPage, type OwnPageSettings } from './own-pages.ts'

const controlCookie = 'hub_sandbox_control'

export type ControlSettings = OwnPageSettings & Pick<Settings, 'controlToken' | 'port'>

export interface ControlRefusal {
  status: 400 | 401 | 403
  error: string
  message: string
}

/**
 * Returns the reason to refuse a request to the control API or the live feed, if any. WebSocket upgrades are checked, too,
 * because browsers let any page open a WebSocket.
 */
function controlRefusal(
  settings: ControlSettings,
  headers: IncomingHttpHeaders,
): ControlRefusal | undefined {
  if (isSentBySandbox(headers)) {
    return {
      status: 403,
      error: 'forbidden_delivery',
      message:
        'The control API takes no deliveries, and nothing that a link forwards. Give the webhook or link the URL of a receiver.',
    }
  }
  if (!isOwnPage(settings, headers)) {
    return {
      status: 403,
      error: 'forbidden_origin',
      message:
        'The control API answers programs and the dashboard only, not pages of other origins.',
    }
  }
  return controlTokenRefusal(settings, headers)
}

/** Returns the refusal of a request without the control token, if one is required. */
export function controlTokenRefusal(
  settings: Pick<Settings, 'controlToken' | 'port'>,
  headers: IncomingHttpHeaders,
): ControlRefusal | undefined {
  const { controlToken } = settings
  if (controlToken === undefined) return undefined
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined && equalSecrets(bearer, controlToken)) return undefined
  const { name, value } = controlCookieOf(settings, controlToken)
  const [given, ...others] = bearer === undefined ? readCookies(headers, name) : []
  if (others.length > 0) {
    return { status: 400, error: 'several_cookies', message: severalCookies(name) }
  }
  if (given !== undefined && equalSecrets(given, value)) return undefined
  return {
    status: 401,
    error: 'control_token_required',
    message:
      'Send the control token as `Authorization: Bearer …`, or open the dashboard by the address that was printed at the start.',
  }
}

/**
 * Returns the cookie that replaces the control token in a browser. Its value is derived from the token: browsers send the
 * cookie to every port of the host, and another server must not learn the token.
 */
export function controlCookieOf(
  settings: Pick<Settings, 'port'>,
  controlToken: string,
): { name: string; value: string } {
  return {
    name: cookieOfPort(controlCookie, settings),
    value: createHmac('sha256', controlToken).update(controlCookie).digest('base64url'),
  }
}

/**
 * Guards the control routes registered on this instance. The body of a refused call is not read, so the log shows no
 * request of the Hub that the call would have stood for.
 */
export function registerControlGuard(app: FastifyInstance, settings: ControlSettings): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'no-store')
    const refusal = controlRefusal(settings, request.headers) ?? bodyRefusal(request.headers)
    if (refusal === undefined) return done()
    const { status, ...body } = refusal
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="hub-sandbox control"')
    reply.code(status).send(body)
  })
}

/** Bodies are JSON only, because any page may send forms and plain text without a preflight (Fetch §2.2.2). */
function bodyRefusal(headers: IncomingHttpHeaders) {
  const hasBody =
    Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  const type = headers['content-type'] ?? ''
  if (!hasBody || /^application\/json\s*(;|$)/i.test(type)) return undefined
  return {
    status: 415,
    error: 'unsupported_media_type',
    message: 'Send the body as application/json.',
  }
}
