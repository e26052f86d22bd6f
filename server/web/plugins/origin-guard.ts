import { pathOf } from '../../core/request-target.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hostName, isLoopbackAuthority } from '../../core/loopback.ts'
import { longestHost, shortened } from '../../core/shortened.ts'
import { readWebOrigin } from '../../core/web-origin.ts'
import type { Settings } from '../../core/settings.ts'
import type { State } from '../../store/state.ts'
import { requesterOf } from './fetch-metadata.ts'
import { lfsRequestId } from './lfs-error-body.ts'
import { isOwnPage, type OwnPageSettings } from './own-pages.ts'

/** Response headers that the Hub's clients read in a page. */
const exposedHeaders = [
  'Link',
  'ETag',
  'X-Repo-Commit',
  'X-Request-Id',
  'X-Error-Code',
  'X-Error-Message',
  'X-Total-Count',
  'Accept-Ranges',
  'Content-Range',
  'X-Linked-Size',
  'X-Linked-ETag',
  'WWW-Authenticate',
].join(', ')

/** Paths that any page may read, because they are public. */
const openPaths = new Set([
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/oauth/jwks',
])

interface OriginDeps {
  settings: OwnPageSettings & Pick<Settings, 'allowOrigins'>
  state: Pick<State, 'apps'>
}

/** Checks whether pages of this origin may call the hub's API. */
function isAllowedOrigin({ settings, state }: OriginDeps, origin: string): boolean {
  const known = readWebOrigin(origin)
  if (known === undefined) return false
  const sent = /^https?:\/\/([^/]*)/i.exec(origin)?.[1]
  if (sent !== undefined) {
    // A browser sends one spelling of an address only, which the host guard requires, too.
    if (hostName(sent) !== hostName(new URL(known).host)) return false
    if (isLoopbackAuthority(sent)) return true
  }
  if (known === settings.baseUrl) return true
  if (settings.allowOrigins.includes(known)) return true
  return state.apps.groupSize('redirectOrigin', known) > 0
}

/** Cross-origin rules of the emulated Hub. The control API has none: no other origin may call it. */
export function registerOriginGuard(app: FastifyInstance, deps: OriginDeps): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (origin === undefined) return done()
    const path = pathOf(request.url)
    if (openPaths.has(path)) {
      reply.header('access-control-allow-origin', '*')
    } else if (isOwnPage(deps.settings, request.headers) || isAllowedOrigin(deps, origin)) {
      // A page of the sandbox without an origin needs no permission.
      if (origin !== 'null') reply.header('access-control-allow-origin', origin)
      reply.header('vary', 'Origin')
    } else if (isSignInForm(request, path)) {
      return done()
    } else {
      reply.code(403).send({
        error: 'forbidden_origin',
        message: refusal(shortened(origin, longestHost)),
        ...lfsRequestId(request, reply),
      })
      return
    }
    reply.header('access-control-expose-headers', exposedHeaders)
    if (isPreflight(request)) return answerPreflight(request, reply)
    done()
  })
}

/**
 * A form may start a sign-in, too (OpenID Connect Core §3.1.2.1). The navigation then has the origin of the page, or `null`
 * if the page hides it; that page cannot read the response.
 */
function isSignInForm({ method, headers }: FastifyRequest, path: string): boolean {
  return method === 'POST' && path === '/oauth/authorize' && requesterOf(headers) !== 'subresource'
}

function refusal(origin: string): string {
  return `The sandbox does not answer pages of the origin ${origin}. ${fixFor(origin)}`
}

function fixFor(origin: string): string {
  if (origin === 'null') {
    return 'Serve the page over http instead of opening it as a file or in a sandboxed frame.'
  }
  const known = readWebOrigin(origin)
  return known === undefined
    ? 'This is not an origin as browsers send it: a scheme and a host, such as https://app.example.test.'
    : `If this page is yours, register a redirect URI of it, or start the sandbox with --allow-origin ${known}.`
}

function isPreflight(request: FastifyRequest): boolean {
  return (
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
  )
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  reply
    .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
    .header(
      'access-control-allow-headers',
      request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
    )
    .header('access-control-max-age', '600')
  if (request.headers['access-control-request-private-network'] === 'true') {
    reply.header('access-control-allow-private-network', 'true')
  }
  reply.code(204).send()
}
