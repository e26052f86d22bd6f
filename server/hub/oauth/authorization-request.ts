import { encodeText } from '../../core/encode-text.ts'
import type { OAuthErrorCode } from '../../contract/oauth-errors.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isOAuthCode, Refusal, type RefusalOptions } from '../../core/refusal.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import type { FindClient } from './client-authentication.ts'
import { clientKind, policy } from './client-policy.ts'
import { checkResources, collectParameters, readResources, refuseRepeated } from './forms.ts'
import { subjectOfHint } from './id-token.ts'
import { checkCodeChallenge } from './pkce.ts'
import { matchRedirectUri } from './redirect-uri.ts'
import { readScopes, requestedScopes, unknownScopesRemark } from './scope.ts'
import { wireDescription } from './wire-description.ts'

/** Validated authorization request, ready for the user's consent. */
export interface AuthorizationRequest {
  app: App
  redirectUri: string
  scopes: string[]
  state?: string
  codeChallenge?: string
  nonce?: string
  /** Organizations that the app requests (`orgIds`). */
  organizationIds: string[]
  /** Servers that the token is for (RFC 8707 §2.1): recorded, since the Hub has one kind of token. */
  resources: string[]
  /** Interactions that the client requires; empty = only what is needed (OpenID Connect Core §3.1.2.1). */
  prompt: ReadonlySet<'none' | 'login' | 'consent'>
  /** Longest time since the sign-in, in seconds (OpenID Connect Core §3.1.2.1). */
  maxAge?: number
  /** Id of the only user that the client accepts, from `id_token_hint`. */
  subject?: string
  /** Part of every response under `strict` or `sendIss` (RFC 9207 §2). */
  iss?: string
  /** For the request log: scopes that were left out, or that the app is not configured with. */
  remark?: string
}

/** Destination of an authorization response, and the parameters that it returns unchanged. */
type AnswerTarget = { clientId: string } & Pick<
  AuthorizationRequest,
  'redirectUri' | 'state' | 'iss'
>

/**
 * Error that is redirected to the client, because its redirect URI is trusted. Any other {@link Refusal} of the
 * authorization endpoint is only shown to the user.
 * @see RFC 6749 §4.1.2.1
 */
export class AuthorizationError extends Refusal {
  readonly location: string
  readonly clientId: string

  constructor(
    code: OAuthErrorCode,
    description: string,
    request: AnswerTarget,
    options: RefusalOptions = {},
  ) {
    super(code, description, options)
    this.clientId = request.clientId
    this.location = answerLocation(request, {
      error: code,
      error_description: wireDescription(description),
    })
  }
}

/** Returns the redirect URI with a code or an error. */
export function answerLocation(
  { redirectUri, state, iss }: Pick<AnswerTarget, 'redirectUri' | 'state' | 'iss'>,
  answer: Record<string, string>,
): string {
  return addParameters(redirectUri, { ...answer, state, iss })
}

/**
 * Adds parameters to the query of a redirect URI and keeps the existing ones (RFC 6749 §3.1.2). The URI is parsed and
 * serialized, as on the Hub: `http://localhost:3000` becomes `http://localhost:3000/`.
 * @param redirectUri valid (`redirectUriProblem`), so that it can be parsed
 */
export function addParameters(
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): string {
  const { href } = new URL(redirectUri)
  const query = Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeText(value)}`]))
    .join('&')
  const separator = href.includes('?') ? (/[?&]$/.test(href) ? '' : '&') : '?'
  return `${href}${separator}${query}`
}

/** Parameters that replace the query by a request object (OpenID Connect Core §3.1.2.6). */
const notSupported = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const

type ReadDeps = Pick<OAuthDeps, 'settings' | 'keys'>

/** Parameters of a query. */
interface Query {
  /** The first value of each. */
  values: ReadonlyMap<string, string>
  repeated: ReadonlySet<string>
}

/** First checks: their errors are shown to the user and not redirected. */
async function findTarget(findClient: FindClient, { values, repeated }: Query) {
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.has(name)) refuseRepeated(name)
  }
  const clientId = values.get('client_id')
  if (clientId === undefined) {
    throw new Refusal('invalid_request', 'The parameter client_id is missing.')
  }
  const wanted = values.get('redirect_uri')
  const app = await findClient(clientId, wanted)
  if (app === undefined) {
    throw new Refusal('unknown_client', `No app has the client id ${clientId}.`)
  }
  return { app, redirectUri: trustedRedirectUri(app, wanted) }
}

/** Further checks: their errors are redirected to the client. */
async function readRequest(
  deps: ReadDeps,
  app: App,
  { values, repeated }: Query,
  resources: readonly string[],
) {
  for (const name of repeated) refuseRepeated(name)
  refuseUnsupported(values)
  checkResponse(values, deps.settings.strict)
  checkPkce(values, app)
  checkResources(deps.settings, resources)
  const maxAge = readMaxAge(values.get('max_age'))
  const subject = await readHint(deps, values.get('id_token_hint'))
  const requested = requestedScopes(values.get('scope'), app, deps.settings)
  return { maxAge, subject, requested, prompt: readPrompt(values.get('prompt')) }
}

/**
 * Validates an authorization request.
 * @param query as sent; unknown parameters are ignored, empty ones count as absent (RFC 6749 §3.1)
 * @throws {Refusal} when client or redirect URI cannot be trusted, to be shown on an error page
 * @throws {AuthorizationError} for all other errors, to be redirected
 * @see RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1
 */
export async function readAuthorizationRequest(
  deps: ReadDeps,
  findClient: FindClient,
  query: URLSearchParams,
): Promise<AuthorizationRequest> {
  const { strict, sendIss, baseUrl } = deps.settings
  const parameters = collectParameters(query)
  const { values } = parameters
  const { app, redirectUri } = await findTarget(findClient, parameters)
  const target = {
    redirectUri,
    ...omitUndefined({ state: values.get('state') }),
    ...(strict || sendIss ? { iss: baseUrl } : {}),
  }
  try {
    const resources = readResources(query)
    const { requested, prompt, maxAge, subject } = await readRequest(
      deps,
      app,
      parameters,
      resources,
    )
    const remarks = [documentRemark(app) ?? [], requested.remark ?? []].flat()
    return {
      ...target,
      app,
      scopes: requested.scopes,
      prompt,
      organizationIds: readOrganizationIds(query),
      resources,
      ...omitUndefined({
        codeChallenge: values.get('code_challenge'),
        nonce: values.get('nonce'),
        maxAge,
        subject,
        remark: remarks.length === 0 ? undefined : remarks.join(' '),
      }),
    }
  } catch (error) {
    if (!(error instanceof Refusal) || !isOAuthCode(error.code)) throw error
    const { code, message, detail } = error
    throw new AuthorizationError(
      code,
      message,
      { ...target, clientId: app.id },
      omitUndefined({ detail }),
    )
  }
}

/** Reports unknown scopes of a metadata document, which has no response of its own. */
function documentRemark({ origin, metadata }: App): string | undefined {
  const scope = origin === 'metadata-document' ? metadata?.['scope'] : undefined
  const remark =
    typeof scope === 'string' ? unknownScopesRemark(readScopes(scope).unknown) : undefined
  return remark === undefined ? undefined : `In the client metadata document: ${remark}`
}

function refuseUnsupported(values: ReadonlyMap<string, string>): void {
  for (const [name, code] of Object.entries(notSupported)) {
    if (!values.has(name)) continue
    throw new Refusal(
      code,
      `The parameter ${name} is not supported; send its content as parameters.`,
    )
  }
}

/** The Hub's documentation has links without `response_type`, which RFC 6749 §4.1.1 requires. */
function checkResponse(values: ReadonlyMap<string, string>, strict: boolean): void {
  const type = values.get('response_type')
  if (type === undefined && strict) {
    throw new Refusal('invalid_request', 'The parameter response_type is missing; send code.')
  }
  if (type !== undefined && type !== 'code') {
    throw new Refusal(
      'unsupported_response_type',
      `response_type ${JSON.stringify(type)} is not supported; use code.`,
    )
  }
  const mode = values.get('response_mode') ?? 'query'
  if (mode !== 'query') {
    throw new Refusal(
      'invalid_request',
      `response_mode ${JSON.stringify(mode)} is not supported; use query.`,
    )
  }
}

function checkPkce(values: ReadonlyMap<string, string>, app: App): void {
  const challenge = values.get('code_challenge')
  const method = values.get('code_challenge_method')
  checkCodeChallenge(
    {
      ...omitUndefined({ code_challenge: challenge, code_challenge_method: method }),
    },
    policy.authorization_code[clientKind(app)].pkce === 'required',
  )
}

function trustedRedirectUri(app: App, wanted: string | undefined): string {
  const [first = 'none', ...others] = app.redirectUris
  if (wanted === undefined) {
    const detail = [`registered: ${first}`, ...countedOthers(others.length)].join('; ')
    throw new Refusal('invalid_request', 'The parameter redirect_uri is missing.', { detail })
  }
  const match = matchRedirectUri(app, wanted)
  if (match.matches) return wanted
  // The reason names the nearest one.
  const [detail] = match.nearest === undefined ? [] : countedOthers(others.length)
  throw new Refusal(
    'invalid_redirect_uri',
    `${wanted} cannot be used: ${match.reason}.`,
    omitUndefined({ detail }),
  )
}

/** An app may have a hundred redirect URIs, which no reason has room for. */
function countedOthers(count: number): string[] {
  if (count === 0) return []
  return [count === 1 ? '1 other is registered' : `${count} others are registered`]
}

/** Reads ids that are separated by commas, or in a repeated parameter. */
function readOrganizationIds(query: URLSearchParams): string[] {
  const ids = query.getAll('orgIds').flatMap((value) => value.split(','))
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ''))]
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seconds)) {
    throw new Refusal(
      'invalid_request',
      `max_age must be a whole number of seconds, not ${JSON.stringify(text)}.`,
    )
  }
  return seconds
}

async function readHint(
  deps: Pick<OAuthDeps, 'settings' | 'keys'>,
  hint: string | undefined,
): Promise<string | undefined> {
  if (hint === undefined) return undefined
  const subject = await subjectOfHint(deps, hint)
  if (subject === undefined) {
    throw new Refusal('invalid_request', 'id_token_hint is no ID token of this sandbox.', {
      detail: 'it was signed by another issuer, or with a key that was removed by a rotation',
    })
  }
  return subject
}

function readPrompt(text: string | undefined): AuthorizationRequest['prompt'] {
  const values = new Set((text ?? '').split(' ').filter((value) => value !== ''))
  if (values.has('none') && values.size > 1) {
    throw new Refusal('invalid_request', 'prompt=none cannot be combined with other values.')
  }
  const prompt = new Set<'none' | 'login' | 'consent'>()
  if (values.has('none')) prompt.add('none')
  if (values.has('consent')) prompt.add('consent')
  // The login page lets the user select an account.
  if (values.has('login') || values.has('select_account')) prompt.add('login')
  return prompt
}
