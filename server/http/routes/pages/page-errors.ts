import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../events/deps.ts'
import { Refusal } from '../../../core/refusal.ts'
import { AuthorizationError } from '../../../oauth/authorization-request.ts'
import { renderErrorPage } from '../../pages/error.ts'
import { toOAuthError } from '../../plugins/oauth-errors.ts'
import { noteRefusal, statusOf } from '../../plugins/refusals.ts'
import { sendPage } from '../../plugins/page-headers.ts'
import { pageSession, StaleFormError } from './page-session.ts'

const titles: Record<string, string> = {
  invalid_redirect_uri: 'Invalid redirect_uri',
  invalid_client: 'Unknown app',
  server_error: 'The sandbox failed',
}

/** Errors of the pages: redirected where the client is trusted, else a page of our own (RFC 6749 §4.1.2.1). */
export function registerPageErrors(
  app: FastifyInstance,
  deps: Deps,
  onRedirected?: (error: AuthorizationError) => void,
): void {
  app.setErrorHandler((error, request, reply) => {
    const session = pageSession(deps, request, request.method === 'GET' ? request.url : '/')
    if (error instanceof Refusal) {
      const status = statusOf(error)
      noteRefusal(request, `http_${status}`, error.detail ?? error.message)
      const page = renderErrorPage({
        title: 'Not now',
        requestId: request.id,
        error: `HTTP ${status}`,
        description: error.message,
        session,
        ...omitUndefined({ detail: error.detail }),
      })
      return sendPage(reply, status, page)
    }
    const refusal = toOAuthError(error)
    noteRefusal(request, refusal.code, refusal.detail ?? refusal.message)
    if (refusal instanceof AuthorizationError) {
      onRedirected?.(refusal)
      return reply.header('Cache-Control', 'no-store').redirect(refusal.location, 303)
    }
    if (refusal.code === 'server_error') request.log.error(error)
    return sendPage(
      reply,
      // A page has no challenge that a browser could answer, which 401 asks for (RFC 9110 §15.5.2).
      refusal.status === 401 ? 400 : refusal.status,
      renderErrorPage({
        title: titles[refusal.code] ?? 'This request cannot be answered',
        error: refusal.code === 'invalid_redirect_uri' ? 'invalid redirect_uri' : refusal.code,
        description: refusal.message,
        ...(refusal instanceof StaleFormError ? { startOver: refusal.startOver } : {}),
        session,
        keptFromApp: request.url.startsWith('/oauth/authorize'),
        requestId: request.id,
        ...omitUndefined({ detail: refusal.detail }),
      }),
    )
  })
}
