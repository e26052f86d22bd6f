import type { App } from '../state/entities/oauth.ts'
import type { FindClient } from './client-authentication.ts'
import { clientKind, policy } from './client-policy.ts'
import {
  OAuthError,
  type OAuthErrorCode,
  type OAuthErrorOptions,
  wireDescription,
} from './errors.ts'
import { collectParameters, refuseRepeated } from './forms.ts'
import { checkCodeChallenge } from './pkce.ts'
import { matchRedirectUri } from './redirect-uri.ts'
import { grantScopes } from './scope.ts'

/** An authorization request that was checked: it can be shown to the user. */
export interface AuthorizationRequest {
  app: App
  redirectUri: string
  scopes: string[]
  state?: string
  codeChallenge?: string
  nonce?: string
  /** Organizations the app asks for (`orgIds`). */
  organizationIds: string[]
  /** OpenID Connect Core §3.1.2.1: what the client wants the user to be asked; empty = what is needed. */
  prompt: ReadonlySet<'none' | 'login' | 'consent'>
}

/**
 * A refusal that the client may be told, since its redirect URI is trusted.
 * Any other {@link OAuthError} of the authorization endpoint is shown to the user and goes nowhere.
 * @see RFC 6749 §4.1.2.1
 */
export class AuthorizationError extends OAuthError {
  readonly location: string
  readonly clientId: string

  constructor(
    code: OAuthErrorCode,
    description: string,
    request: { clientId: string; redirectUri: string; state?: string | undefined },
    options: OAuthErrorOptions = {},
  ) {
    super(code, description, options)
    this.clientId = request.clientId
    this.location = addParameters(request.redirectUri, {
      error: code,
      error_description: wireDescription(description),
      state: request.state,
    })
  }
}

/** Adds to the query of a redirect URI and leaves the rest as it is (RFC 6749 §3.1.2). */
export function addParameters(
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): string {
  const query = Object.entries(parameters)
    .flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    .join('&')
  const separator = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?'
  return `${redirectUri}${separator}${query}`
}

/**
 * Reads and checks an authorization request.
 * @param query as sent; unknown parameters are ignored, empty ones count as absent (RFC 6749 §3.1)
 * @throws {OAuthError} when client or redirect URI cannot be trusted: for a page of our own
 * @throws {AuthorizationError} for everything else: to be redirected
 * @see RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1
 */
export async function readAuthorizationRequest(
  findClient: FindClient,
  query: URLSearchParams,
): Promise<AuthorizationRequest> {
  const parameters = collectParameters(query)
  const { app, redirectUri } = await trustedTarget(findClient, parameters)

  const state = parameters.values.get('state')
  const refuse = (
    code: OAuthErrorCode,
    description: string,
    options?: OAuthErrorOptions,
  ): never => {
    throw new AuthorizationError(
      code,
      description,
      { clientId: app.id, redirectUri, state },
      options,
    )
  }
  const redirected = <T>(check: () => T): T => {
    try {
      return check()
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      return refuse(
        error.code,
        error.message,
        error.detail === undefined ? {} : { detail: error.detail },
      )
    }
  }

  redirected(() => {
    for (const name of parameters.repeated) refuseRepeated(name)
  })
  const responseType = parameters.values.get('response_type') ?? 'code'
  if (responseType !== 'code') {
    refuse(
      'unsupported_response_type',
      `response_type ${JSON.stringify(responseType)} is not supported; use code.`,
    )
  }
  const responseMode = parameters.values.get('response_mode') ?? 'query'
  if (responseMode !== 'query') {
    refuse(
      'invalid_request',
      `response_mode ${JSON.stringify(responseMode)} is not supported; use query.`,
    )
  }
  const challenge = parameters.values.get('code_challenge')
  const method = parameters.values.get('code_challenge_method')
  redirected(() =>
    checkCodeChallenge(
      {
        ...(challenge === undefined ? {} : { code_challenge: challenge }),
        ...(method === undefined ? {} : { code_challenge_method: method }),
      },
      policy.authorization_code[clientKind(app)].pkce === 'required',
    ),
  )
  const scopes = redirected(() => grantScopes(parameters.values.get('scope'), app))
  const prompt = redirected(() => readPrompt(parameters.values.get('prompt')))
  const nonce = parameters.values.get('nonce')

  return {
    app,
    redirectUri,
    scopes,
    organizationIds: readOrganizationIds(query),
    prompt,
    ...(state === undefined ? {} : { state }),
    ...(challenge === undefined ? {} : { codeChallenge: challenge }),
    ...(nonce === undefined ? {} : { nonce }),
  }
}

async function trustedTarget(
  findClient: FindClient,
  { values, repeated }: ReturnType<typeof collectParameters>,
): Promise<{ app: App; redirectUri: string }> {
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.has(name)) refuseRepeated(name)
  }
  const clientId = values.get('client_id')
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', 'The parameter client_id is missing.')
  }
  const redirectUri = values.get('redirect_uri')
  const app = await findClient(clientId, redirectUri)
  if (app === undefined) {
    throw new OAuthError('invalid_client', `No app has the client id ${clientId}.`, { status: 400 })
  }
  if (redirectUri === undefined) {
    throw new OAuthError('invalid_request', 'The parameter redirect_uri is missing.', {
      detail: `registered: ${app.redirectUris.join(', ') || 'none'}`,
    })
  }
  const match = matchRedirectUri(app, redirectUri)
  if (!match.matches) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `${redirectUri} cannot be used: ${match.reason}.`,
      {
        detail: `registered: ${app.redirectUris.join(', ') || 'none'}`,
      },
    )
  }
  return { app, redirectUri }
}

/** Several ids come comma separated, or as a repeated parameter. */
function readOrganizationIds(query: URLSearchParams): string[] {
  const ids = query.getAll('orgIds').flatMap((value) => value.split(','))
  return [...new Set(ids.map((id) => id.trim()).filter((id) => id !== ''))]
}

function readPrompt(text: string | undefined): AuthorizationRequest['prompt'] {
  const values = new Set((text ?? '').split(' ').filter((value) => value !== ''))
  if (values.has('none') && values.size > 1) {
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values.')
  }
  const prompt = new Set<'none' | 'login' | 'consent'>()
  if (values.has('none')) prompt.add('none')
  if (values.has('consent')) prompt.add('consent')
  // The login page is where an account is picked.
  if (values.has('login') || values.has('select_account')) prompt.add('login')
  return prompt
}
