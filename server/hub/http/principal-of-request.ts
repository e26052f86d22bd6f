import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import { type AccessAction, type AccountAction, repoRules } from '../access/access-rules.ts'
import { anonymous, type Principal, unauthenticated } from '../access/principal.ts'
import { identifyBasic, identifyGit, identifySession } from '../oauth/identify.ts'
import { deliveryOfCall } from '../events/delivery-of-call.ts'
import { isOwnPage } from '../../web/plugins/own-pages.ts'
import { readSessionCookie } from './session-cookie.ts'

type SignedIn = Exclude<Principal, { kind: 'anonymous' }>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Refuses anonymous callers before their body is checked. */
    needsUser?: true
    /** Action on the caller's own account, permitted before the handler. */
    accountAction?: AccountAction
    /** Actions that the handler permits, once it knows their target. */
    actions?: readonly [AccessAction, ...AccessAction[]]
  }
  interface FastifyRequest {
    principal: Principal
    /** Reason that the credentials are refused. */
    principalRefusal: Refusal | undefined
  }
}

/**
 * Sets `request.principal` on the hub's API routes: by a token, else by the session cookie, which pages of other origins
 * cannot use, or as `identify` says. A refusal comes after injected faults: a broken server does not check credentials.
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
      request.principalRefusal = error as Refusal
    }
    const { principal } = request
    const deliveryId = principal.kind === 'token' ? principal.token.deliveryId : undefined
    if (deliveryId === undefined) done()
    else deliveryOfCall.run(deliveryId, done)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    // For a repo, its visibility is checked first.
    const isOfRepo = request.routeOptions.config.repoAction !== undefined
    done(request.principalRefusal ?? (isOfRepo ? undefined : missingUser(request)))
  })
  app.addHook('onRoute', (route) => {
    const action = route.config?.accountAction
    if (action === undefined) return
    route.preHandler = (request, _reply, done) => {
      try {
        permit(deps, request.principal, { action })
        done()
      } catch (error) {
        done(error as Error)
      }
    }
  })
}

/**
 * Returns the caller if it is a user.
 * @throws {Refusal} `unauthenticated`
 */
export function signedIn({ principal }: Pick<FastifyRequest, 'principal'>): SignedIn {
  if (principal.kind !== 'anonymous') return principal
  throw refuseNobody()
}

/** Returns the refusal of a request that needs a user and has none. */
export function missingUser({ principal, routeOptions }: FastifyRequest): Refusal | undefined {
  const { needsUser, accountAction, repoAction } = routeOptions.config
  const isForUsers =
    needsUser === true ||
    accountAction !== undefined ||
    (repoAction !== undefined && !('reads' in repoRules[repoAction]))
  return isForUsers && principal?.kind === 'anonymous' ? refuseNobody() : undefined
}

/** Returns the error to send: a caller without the right does not learn that the body is unreadable. */
export function foremostError<E extends Error>(request: FastifyRequest, error: E): E | Refusal {
  if (error instanceof Refusal) return error
  return request.principalRefusal ?? missingUser(request) ?? error
}

function refuseNobody(): Refusal {
  const { message, detail } = unauthenticated
  return new Refusal('unauthenticated', message, { detail })
}

/** @throws {Refusal} for invalid credentials */
export type Identify = (deps: Deps, request: FastifyRequest) => Principal

/** Identifies git and Git LFS clients. A browser's cookie does not count: no page pushes. */
export const identifyGitClient: Identify = (deps, { headers }) =>
  identifyGit(deps, headers.authorization)

/**
 * Identifies programs by a token (as a bearer token, or as the password of HTTP Basic with any user name), and pages of
 * the sandbox by their session.
 */
export function identifyByTokenOrSession(deps: Deps, request: FastifyRequest): Principal {
  const { authorization } = request.headers
  if (authorization !== undefined) return identifyBasic(deps, authorization)
  const principal = identifySession(deps, readSessionCookie(deps.settings, request.headers))
  if (principal.kind === 'session' && !isOwnPage(deps.settings, request.headers)) {
    throw new Refusal(
      'forbidden',
      "The session cookie is accepted from the sandbox's own pages only.",
    )
  }
  return principal
}

/** Returns a check whether the credentials of a request still are those of its user, for a response that goes on. */
export function keepsCredentials(deps: Deps, request: FastifyRequest): () => boolean {
  const userOf = (principal: Principal) =>
    principal.kind === 'anonymous' ? undefined : principal.user.id
  return () => {
    try {
      return userOf(identifyByTokenOrSession(deps, request)) === userOf(request.principal)
    } catch {
      return false
    }
  }
}
