import { hasHalfCharacter } from '../../core/encode-text.ts'
import { omitNulls } from '../../core/omit-nulls.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { JsonDepthError, parseShallowJson } from '../../core/json-depth.ts'
import type { Deps } from '../deps.ts'
import type { FetchedDocument } from '../../web/outgoing/fetched-document.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import type { Clients } from './client-authentication.ts'
import { isObject } from '../../core/is-object.ts'
import type { OAuthErrorCode } from '../../contract/oauth-errors.ts'
import { isLoopbackHost } from '../../core/loopback.ts'
import { Refusal } from '../../core/refusal.ts'
import { matchRedirectUri, redirectUriProblem, unusableRedirectUri } from './redirect-uri.ts'
import { publishedScopes, signInScopes } from '../../contract/scopes.ts'
import { makeRoomForApp } from './room-for-apps.ts'
import { readScopes, scopeProblem } from './scope.ts'
import { own } from '../../core/own.ts'

export interface MetadataDocumentDeps extends Pick<Deps, 'state' | 'settings' | 'clock' | 'bus'> {
  /** @throws {Error} whose message gives the reason */
  fetchDocument(url: URL): Promise<FetchedDocument>
}

const defaultCacheMs = 5 * 60_000
const maxCacheMs = 60 * 60_000
/** Shortest time between two fetches of a cached document because of unknown redirect URIs. */
const refetchBreakMs = 10_000

/** Returns why the sandbox cannot serve a document at this URL; `undefined` when it can. */
export function virtualAddressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' && url.pathname !== '/'
    ? undefined
    : 'must be an https URL with a path'
}

/** Returns whether a client id is the URL of a metadata document. */
export function isMetadataDocumentUrl(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId)
}

/**
 * Finds clients by id, including those whose id is the URL of a metadata document, which is fetched on first use,
 * validated and cached.
 * @returns functions that throw {@link Refusal} `invalid_client` with the mistake in the URL or the document
 * @see draft-ietf-oauth-client-id-metadata-document §3, §4
 */
export function createClients(deps: MetadataDocumentDeps): Clients {
  const { state, clock } = deps
  const fetching = new Map<string, Promise<App>>()
  /** Times of the last fetches because of a redirect URI that the cached document lacked. */
  const refetchedAt = new Map<string, number>()
  const virtualOf = (clientId: string): unknown => state.metadataDocuments.get(clientId)?.document

  async function fetchApp(clientId: string): Promise<App> {
    const { document, cacheMs } = await fetchedDocument(deps, checkedUrl(clientId))
    return keepApp(deps, clientId, document, cacheMs)
  }

  function isOutdated(app: App, redirectUri: string | undefined): boolean {
    if (app.origin !== 'metadata-document') return false
    const { refreshAfter = 0 } = app
    const now = clock.now()
    // Times can lie in the future after the clock was set back.
    if (refreshAfter <= now || refreshAfter > now + maxCacheMs) return true
    return redirectUri !== undefined && mayHaveGained(app, redirectUri)
  }

  /** Returns whether to fetch a cached document again because the redirect URI may have been added just now. */
  function mayHaveGained(app: App, redirectUri: string): boolean {
    if (redirectUriProblem(redirectUri) !== undefined) return false
    if (matchRedirectUri(app, redirectUri).matches) return false
    const now = clock.now()
    for (const [id, at] of refetchedAt) {
      // Times can lie in the future after the clock was set back.
      if (Math.abs(now - at) >= refetchBreakMs) refetchedAt.delete(id)
    }
    if (refetchedAt.has(app.id)) return false
    refetchedAt.set(app.id, now)
    return true
  }

  return {
    findKnown(clientId) {
      const stored = state.apps.get(clientId)
      if (stored !== undefined || !isMetadataDocumentUrl(clientId)) return stored
      const virtual = virtualOf(clientId)
      if (virtual !== undefined) return keepApp(deps, clientId, virtual, defaultCacheMs)
      throw refuse(
        clientId,
        'the sandbox does not know it yet, and only fetches it for an authorization request',
      )
    },
    findOrFetch(clientId, redirectUri) {
      const stored = state.apps.get(clientId)
      if (!isMetadataDocumentUrl(clientId)) return stored
      if (stored !== undefined && !isOutdated(stored, redirectUri)) return stored
      const virtual = virtualOf(clientId)
      if (virtual !== undefined) return keepApp(deps, clientId, virtual, defaultCacheMs)
      const running = fetching.get(clientId)
      if (running !== undefined) return running
      const started = fetchApp(clientId).finally(() => fetching.delete(clientId))
      fetching.set(clientId, started)
      return started
    },
  }
}

function keepApp(
  deps: MetadataDocumentDeps,
  clientId: string,
  document: unknown,
  cacheMs: number,
): App {
  checkedUrl(clientId)
  const app = readDocument(clientId, document)
  const before = deps.state.apps.get(clientId)
  // If all are in use, the limit is exceeded: no sign-in fails because of other apps.
  if (before === undefined) makeRoomForApp(deps, 'metadata-document')
  const now = deps.clock.now()
  const stored = deps.state.apps.put({
    ...app,
    createdAt: before?.createdAt ?? now,
    refreshAfter: now + cacheMs,
  })
  if (before === undefined) deps.bus.emit('app.created', { clientId })
  return stored
}

function checkedUrl(clientId: string): URL {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined
  if (url === undefined) throw refuse(clientId, 'it is not a URL')
  if (url.protocol !== 'https:' && !isLoopbackHost(url.hostname))
    throw refuse(clientId, 'it must begin with https:')
  if (url.username !== '' || url.password !== '')
    throw refuse(clientId, 'it contains a user name or password')
  if (clientId.includes('#')) throw refuse(clientId, 'it has a fragment')
  if (url.pathname === '/') throw refuse(clientId, 'it has no path')
  if (/\/\.{1,2}(\/|$|\?)/.test(clientId)) throw refuse(clientId, 'its path has dot segments')
  if (url.href !== clientId) {
    throw refuse(clientId, `it is not in normalized form: use ${url.href}`)
  }
  return url
}

async function fetchedDocument(
  deps: MetadataDocumentDeps,
  url: URL,
): Promise<{ document: unknown; cacheMs: number }> {
  let answer
  try {
    answer = await deps.fetchDocument(url)
  } catch (error) {
    throw refuse(url.href, `it could not be fetched: ${(error as Error).message}`, { cause: error })
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw refuse(url.href, `it responded with ${answer.status}; redirects are not followed`)
  }
  if (answer.status !== 200) throw refuse(url.href, `it responded with ${answer.status}`)
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(answer.contentType)) {
    throw refuse(
      url.href,
      `its content type is ${answer.contentType || 'missing'}, but must be JSON`,
    )
  }
  const cacheMs =
    answer.maxAgeSeconds === undefined
      ? defaultCacheMs
      : Math.min(answer.maxAgeSeconds * 1000, maxCacheMs)
  try {
    return { document: parseShallowJson(answer.body), cacheMs }
  } catch (error) {
    if (error instanceof JsonDepthError) throw refuse(url.href, error.message, { cause: error })
    throw refuse(url.href, 'it is not valid JSON', { cause: error })
  }
}

/** A member of a document that the hub refuses. */
export interface DocumentProblem {
  /** Path, such as `redirect_uris[1]`; empty for the whole document. */
  member: string
  message: string
  /** Change to the document that helps. */
  fix: string
  /** Default: `invalid_client`. */
  code?: 'invalid_scope'
}

/**
 * Lists the mistakes in a document, in the order of the checks.
 * @param clientId URL of the document
 */
export function documentProblems(clientId: string, document: unknown): DocumentProblem[] {
  if (isObject(document)) return memberProblems(clientId, omitNulls(document))
  const fix = 'Put the members of the document between { and }.'
  return [{ member: '', message: 'the document is not a JSON object', fix }]
}

/** @param document without null members, which count as absent as in a registration */
function memberProblems(clientId: string, document: Record<string, unknown>): DocumentProblem[] {
  const has = (member: string) => own(document, member)
  const redirectUris = has('redirect_uris')
  return [
    ...problemOf(
      'client_id',
      has('client_id') !== clientId && idProblem(has('client_id')),
      `Set "client_id" to "${clientId}".`,
    ),
    ...problemOf('client_name', nameProblem(has('client_name')), 'Set "client_name" to its name.'),
    ...redirectUriProblems(redirectUris),
    ...authenticationProblems(document),
    ...['client_secret', 'client_secret_expires_at'].flatMap((member) =>
      problemOf(
        member,
        has(member) !== undefined && `${member} must not be in a public document`,
        `Remove "${member}".`,
      ),
    ),
    ...documentScopeProblems(has('scope')),
    ...Object.entries(urlMembers).flatMap(([member, scheme]) =>
      problemOf(
        member,
        !isOptionalUrl(has(member), scheme) &&
          `${member} must be a URL that begins with https: or http:`,
        `Set "${member}" to an https URL, or remove it.`,
      ),
    ),
  ]
}

function problemOf(member: string, message: string | false, fix: string): DocumentProblem[] {
  return message === false ? [] : [{ member, message, fix }]
}

function idProblem(id: unknown): string {
  return `its client_id is ${JSON.stringify(id)}, but must be this very URL`
}

function nameProblem(name: unknown): string | false {
  if (typeof name !== 'string' || name.trim() === '') return 'client_name is missing'
  return hasHalfCharacter(name) && 'client_name contains an unpaired surrogate'
}

function redirectUriProblems(uris: unknown): DocumentProblem[] {
  if (!isListOfStrings(uris) || uris.length === 0) {
    return problemOf(
      'redirect_uris',
      'redirect_uris must be a list of at least one URI',
      'Set "redirect_uris" to a list, for example ["http://localhost/callback"].',
    )
  }
  return uris.flatMap((uri, index) => {
    const problem = unusableRedirectUri(uri)
    return problemOf(
      `redirect_uris[${index}]`,
      problem !== undefined && `the redirect URI ${uri}: ${problem}`,
      'Use an absolute URI without a fragment, for example https://client.example/callback.',
    )
  })
}

/**
 * Checks that a document offers the authentication method `none`, since its app is public and uses PKCE. It may prefer
 * another method (`private_key_jwt`).
 */
function authenticationProblems(document: Record<string, unknown>): DocumentProblem[] {
  const method = own(document, 'token_endpoint_auth_method')
  const offered = own(document, 'token_endpoint_auth_methods_supported')
  if (offered !== undefined && !isListOfStrings(offered)) {
    const member = 'token_endpoint_auth_methods_supported'
    return problemOf(member, `${member} must be a list of strings`, `Set "${member}" to ["none"].`)
  }
  if (method === 'none' || offered?.includes('none') === true) return []
  const named = method === undefined ? 'is missing and' : `is ${JSON.stringify(method)}, but`
  return problemOf(
    'token_endpoint_auth_method',
    `token_endpoint_auth_method ${named} must be "none", or token_endpoint_auth_methods_supported must list it`,
    'Set "token_endpoint_auth_method" to "none": the app has no secret and uses PKCE.',
  )
}

function documentScopeProblems(scope: unknown): DocumentProblem[] {
  const fix = 'Join scopes of the Hub with spaces, for example "openid profile".'
  if (!isOptionalString(scope)) return problemOf('scope', 'scope must be a string', fix)
  const problem = scopeProblem(scope === '' ? undefined : scope)
  return problem === undefined
    ? []
    : [{ member: 'scope', message: `its scope: ${problem}`, fix, code: 'invalid_scope' }]
}

/** Members that the consent page links to, where a `javascript:` URL would run, with their schemes. */
const urlMembers = {
  logo_uri: /^(?:https?:|data:image\/)/i,
  client_uri: /^https?:/i,
  policy_uri: /^https?:/i,
  tos_uri: /^https?:/i,
} as const

function isOptionalUrl(value: unknown, scheme: RegExp): boolean {
  if (value === undefined) return true
  return typeof value === 'string' && URL.canParse(value) && scheme.test(value)
}

function isOptionalString(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** Converts a document to a client, or throws with its first problem. */
function readDocument(clientId: string, document: unknown): Omit<App, 'createdAt'> {
  const [problem] = documentProblems(clientId, document)
  if (problem !== undefined) throw refuse(clientId, problem.message, { code: problem.code })
  // The members have these types, since the document has no problem.
  const members = omitNulls(document as Record<string, unknown>) as unknown as ValidDocument
  const { client_name: name, redirect_uris: redirectUris, scope } = members
  const { logo_uri: logoUri, client_uri: clientUri } = members
  const { policy_uri: policyUri, tos_uri: tosUri } = members
  return {
    id: clientId,
    name,
    origin: 'metadata-document',
    redirectUris,
    privileges: [],
    metadata: { ...members },
    ...documentScopes(scope),
    ...omitUndefined({ logoUri, clientUri, policyUri, tosUri }),
  }
}

interface ValidDocument {
  client_name: string
  redirect_uris: string[]
  scope?: string
  logo_uri?: string
  client_uri?: string
  policy_uri?: string
  tos_uri?: string
}

/** Reads the scopes of a document. Without any, a request names its scopes, or gets the sign-in scopes. */
function documentScopes(scope: string | undefined): Pick<App, 'scopes' | 'defaultScopes'> {
  const { known = [] } = readScopes(scope)
  return known.length === 0
    ? { scopes: [...publishedScopes], defaultScopes: [...signInScopes] }
    : { scopes: known }
}

function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function refuse(
  clientId: string,
  reason: string,
  { code = 'invalid_client', cause }: { code?: OAuthErrorCode | undefined; cause?: unknown } = {},
): Refusal {
  return new Refusal(
    code,
    `The client metadata document ${clientId} cannot be used: ${reason}.`,
    cause === undefined ? {} : { cause },
  )
}
