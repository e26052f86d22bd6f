import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../core/deps.ts'
import { HubError } from '../hub/hub-error.ts'
import { identifyBearer, identifySession, type Principal } from '../oauth/principal.ts'
import { readCookie } from './cookies.ts'
import { isSameOrigin } from './origin-guard.ts'

export const sessionCookie = 'hub_sandbox_session'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

/** Value of the session cookie; programs may send it under the hub's own name, `token`. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return readCookie(request.headers, sessionCookie) ?? readCookie(request.headers, 'token')
}

/**
 * Sets `request.principal` on the hub's API routes: by bearer token, else by the session cookie, which no page of
 * another origin may ride on.
 */
export function registerPrincipal(app: FastifyInstance, deps: Deps): void {
  // Set for each request by the hook below; Fastify refuses an object here that all requests would share.
  app.decorateRequest('principal', undefined as never)
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      request.principal = identifyBearer(deps, authorization)
      return done()
    }
    const principal = identifySession(deps, sessionCookieOf(request))
    if (principal.kind === 'session' && !isSameOrigin(request.headers)) {
      throw new HubError(403, 'The session cookie is accepted from the sandbox’s own pages only.')
    }
    request.principal = principal
    done()
  })
}
