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
 * Why a request may not reach the control API or the live feed; `undefined` when it may. WebSocket upgrades ask
 * here too, since browsers let any page open one.
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

/** Why a request lacks the control token; `undefined` when it has it, or none is asked for. */
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
 * Cookie that stands for the control token in a browser. Its value is derived from the token, since browsers send it to
 * every port of the host: none of them learns what programs may call the control API with.
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
 * Guards the control routes registered on this instance. What is refused here is not read: a call that stands for a
 * request of the hub begins to do so with its body, and the log must not report a request that no client tried to make.
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

/** Forms and plain text are what a page may send anywhere without being asked (Fetch §2.2.2): bodies are JSON alone. */
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
