import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../events/deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { anonymous, type Principal } from '../../hub/principal.ts'
import { identifyBasic, identifyBearer, identifySession } from '../../oauth/identify.ts'
import { readCookie } from './cookies.ts'
import { isSameOrigin } from './origin-guard.ts'

export const sessionCookie = 'hub_sandbox_session'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
    /** Why nobody may be taken for the caller. */
    principalRefusal: Error | undefined
  }
}

/** Value of the session cookie; programs may send it under the hub's own name, `token`. */
export function sessionCookieOf(request: FastifyRequest): string | undefined {
  return readCookie(request.headers, sessionCookie) ?? readCookie(request.headers, 'token')
}

/**
 * Sets `request.principal` on the hub's API routes: by bearer token, else by the session cookie, which no page of
 * another origin may ride on, or as `identify` says. Who is refused is refused after the faults of the sandbox: a server that is broken does
 * not ask who one is.
 */
export function registerPrincipal(
  app: FastifyInstance,
  deps: Deps,
  identify: Identify = identifyByTokenOrSession,
): void {
  // Set for each request by the hook below; Fastify refuses an object here that all requests would share.
  app.decorateRequest('principal', undefined as never)
  app.decorateRequest('principalRefusal', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      request.principal = identify(deps, request)
    } catch (error) {
      request.principal = anonymous
      request.principalRefusal = error as Error
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => done(request.principalRefusal))
}

/** @throws {Refusal} where nobody may be taken for the caller */
export type Identify = (deps: Deps, request: FastifyRequest) => Principal

/** As git and Git LFS sign in. The cookie of a browser counts for nothing: no page pushes. */
export const identifyGitClient: Identify = (deps, { headers }) =>
  identifyBasic(deps, headers.authorization)

function identifyByTokenOrSession(deps: Deps, request: FastifyRequest): Principal {
  const { authorization } = request.headers
  if (authorization !== undefined) return identifyBearer(deps, authorization)
  const principal = identifySession(deps, sessionCookieOf(request))
  if (principal.kind === 'session' && !isSameOrigin(request.headers)) {
    throw new Refusal(
      'forbidden',
      'The session cookie is accepted from the sandbox’s own pages only.',
    )
  }
  return principal
}
