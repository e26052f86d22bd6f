import { omitUndefined } from '../../core/omit-undefined.ts'
import type { TokenResponse } from '../../contract/oauth.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { IssuerKeys } from './ci/issuer-keys.ts'
import type { RequestOrigin } from './audit-log.ts'
import {
  authenticateClient,
  checkPolicy,
  type ClientCredentials,
  type FindClient,
  findNamedClient,
  readClientCredentials,
} from './client-authentication.ts'
import { offeredGrants, isGrantType } from './client-policy.ts'
import { Refusal } from '../../core/refusal.ts'
import { checkResources, readForm, readFormOrJson, readResources } from './forms.ts'
import { authorizationCodeGrant } from './grants/authorization-code.ts'
import { auditRefusedCiExchange, ciIdentityGrant, isCiExchange } from './grants/ci-identity.ts'
import { deviceGrant } from './grants/device-code.ts'
import {
  type GrantRequest,
  requireParameter,
  type TokenParameters,
} from './grants/grant-request.ts'
import { refreshTokenGrant } from './grants/refresh-token.ts'
import { auditRefusedExchange, memberTokenGrant } from './grants/token-exchange.ts'
import { isObject } from '../../core/is-object.ts'
import { idTokenType } from '../../contract/words/ci-words.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import {
  deviceCodeGrant,
  type GrantType,
  pollAgainErrors,
  tokenExchangeGrant,
} from '../../contract/words/oauth-words.ts'

export interface TokenRequest {
  /** Value of the `Authorization` header. */
  authorization?: string
  /** Body as sent: a form, or JSON to exchange the ID token of a CI job. */
  body: unknown
  origin: RequestOrigin
}

/** Facts about a request, as far as they are known: a refusal is emitted with them. */
interface KnownFacts {
  parameters?: TokenParameters
  credentials?: ClientCredentials
  /** Client id, once the client may use the grant. */
  clientId?: string
}

const grants: Record<GrantType, (request: GrantRequest) => Promise<TokenResponse>> = {
  authorization_code: authorizationCodeGrant,
  refresh_token: refreshTokenGrant,
  [deviceCodeGrant]: deviceGrant,
  [tokenExchangeGrant]: memberTokenGrant,
}

/**
 * Handles a token request: identifies the client, then runs the grant.
 * @returns token response; `expires_in` in seconds
 * @throws {Refusal} as the grant does; `unsupported_grant_type` for an unknown `grant_type`
 * @see RFC 6749 §3.2
 */
export async function requestToken(
  deps: OAuthDeps,
  findClient: FindClient,
  issuerKeys: IssuerKeys,
  request: TokenRequest,
): Promise<TokenResponse> {
  const ci = readCiExchange(request.body)
  if (ci !== undefined) return exchangeCiIdentity(deps, issuerKeys, { ...request, ...ci })
  const known: KnownFacts = {}
  try {
    return await grantTokens(deps, findClient, request, known)
  } catch (error) {
    if (error instanceof Refusal) emitRefusal(deps, request.origin, known, error)
    throw error
  }
}

/** @param known gets each fact when it is known */
async function grantTokens(
  deps: OAuthDeps,
  findClient: FindClient,
  { authorization, body, origin }: TokenRequest,
  known: KnownFacts,
): Promise<TokenResponse> {
  const parameters = readTokenForm(body)
  known.parameters = parameters
  const grantType = readGrantType(parameters)
  const credentials = readClientCredentials(authorization, parameters)
  known.credentials = credentials
  const app = await findClientOf(deps, findClient, { grantType, credentials, parameters })
  authenticateClient(app, credentials, grantType)
  checkPolicy(app, credentials, grantType)
  const resources = readResources(body)
  // A token exchange names its target by `audience` and `resource` already.
  if (grantType !== tokenExchangeGrant) checkResources(deps.settings, resources)
  known.clientId = app.id
  return grants[grantType]({ deps, app, parameters, resources, origin })
}

/** Exchanges the ID token of a CI job; emits and records a refusal. */
async function exchangeCiIdentity(
  deps: OAuthDeps,
  issuerKeys: IssuerKeys,
  { origin, parameters, resources }: TokenRequest & CiParameters,
): Promise<TokenResponse> {
  try {
    return await ciIdentityGrant({ deps, issuerKeys, parameters, resources, origin })
  } catch (error) {
    if (error instanceof Refusal) {
      auditRefusedCiExchange(deps, { parameters, origin }, error)
      deps.bus.emit('token.refused', {
        error: error.code,
        detail: error.detail ?? error.message,
        grant: tokenExchangeGrant,
      })
    }
    throw error
  }
}

interface CiParameters {
  parameters: TokenParameters
  resources: string[]
}

/** Reads a request that exchanges the ID token of a CI job; `undefined` for any other. */
function readCiExchange(body: unknown): CiParameters | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const type = body instanceof URLSearchParams ? body.get(typeName) : Reflect.get(body, typeName)
  if (type !== idTokenType) return undefined
  const parameters = readFormOrJson(body)
  if (!isCiExchange(parameters)) return undefined
  const { resource } = parameters
  const resources =
    body instanceof URLSearchParams ? readResources(body) : resource === undefined ? [] : [resource]
  return { parameters, resources }
}

const typeName = 'subject_token_type'

/** Emits a refusal. A body that is not a form has no client. */
function emitRefusal(
  deps: OAuthDeps,
  origin: RequestOrigin,
  known: KnownFacts,
  error: Refusal,
): void {
  const { parameters, credentials } = known
  if (parameters === undefined) return
  const { grant_type: grant } = parameters
  const clientId = known.clientId ?? credentials?.clientId ?? parameters['client_id']
  if (grant === tokenExchangeGrant && clientId !== undefined) {
    auditRefusedExchange(deps, { clientId, parameters, origin }, error)
  }
  if (pollAgainErrors.has(error.code)) return
  deps.bus.emit('token.refused', {
    error: error.code,
    detail: error.detail ?? error.message,
    ...omitUndefined({ clientId, grant }),
  })
}

/** Refuses JSON bodies, which belong to the exchange of CI identity tokens. */
function readTokenForm(body: unknown): TokenParameters {
  if (isObject(body) && !(body instanceof URLSearchParams) && typeName in body) {
    throw new Refusal(
      'invalid_request',
      `JSON is for the exchange of CI identity tokens: grant_type ${tokenExchangeGrant} with ${typeName} ${idTokenType}. Send other requests as a form.`,
    )
  }
  return readForm(body)
}

function readGrantType(parameters: TokenParameters): GrantType {
  const grantType = requireParameter(parameters, 'grant_type')
  if (isGrantType(grantType)) return grantType
  throw new Refusal(
    'unsupported_grant_type',
    `grant_type ${JSON.stringify(grantType)} is not supported; use one of ${offeredGrants.join(', ')}.`,
  )
}

/**
 * Finds the client of a call. huggingface.js sends neither `client_id` nor Basic with an authorization code: the code then
 * identifies the client, which must be public.
 */
async function findClientOf(
  deps: OAuthDeps,
  findClient: FindClient,
  call: { grantType: GrantType; credentials: ClientCredentials; parameters: TokenParameters },
): Promise<App> {
  const { grantType, credentials, parameters } = call
  const { code } = parameters
  const isNamed = credentials.clientId !== undefined || credentials.method !== 'none'
  if (grantType !== 'authorization_code' || isNamed || code === undefined) {
    return findNamedClient(findClient, credentials)
  }
  const clientId = deps.state.codes.get(code)?.clientId
  if (clientId === undefined) {
    throw new Refusal('invalid_grant', 'The authorization code is unknown.')
  }
  const app = await findClient(clientId)
  if (app === undefined) throw new Refusal('invalid_client', 'Unknown client.')
  return app
}
