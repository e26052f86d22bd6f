import { omitUndefined } from '../core/omit-undefined.ts'
import type { TokenResponse } from '../contract/oauth.ts'
import type { OAuthDeps } from './deps.ts'
import type { RequestOrigin } from './audit-log.ts'
import {
  authenticateClient,
  checkClientAuthentication,
  type ClientCredentials,
  type FindClient,
  readClientCredentials,
} from './client-authentication.ts'
import {
  deviceCodeGrant,
  type GrantType,
  grantTypes,
  isGrantType,
  tokenExchangeGrant,
} from './client-policy.ts'
import { Refusal } from '../core/refusal.ts'
import { exchangeAuthorizationCode } from './grants/authorization-code.ts'
import { exchangeDeviceCode } from './grants/device-code.ts'
import {
  type GrantRequest,
  requireParameter,
  type TokenParameters,
} from './grants/grant-request.ts'
import { exchangeRefreshToken } from './grants/refresh-token.ts'
import { auditRefusedExchange, exchangeMemberToken } from './grants/token-exchange.ts'
import type { App } from '../state/entities/oauth.ts'

export interface TokenRequest {
  /** Value of the `Authorization` header. */
  authorization?: string
  parameters: TokenParameters
  origin: RequestOrigin
}

type Grant = (
  deps: OAuthDeps,
  request: GrantRequest & { origin: RequestOrigin },
) => Promise<TokenResponse>

const grants: Record<GrantType, Grant> = {
  authorization_code: exchangeAuthorizationCode,
  refresh_token: exchangeRefreshToken,
  [deviceCodeGrant]: exchangeDeviceCode,
  [tokenExchangeGrant]: exchangeMemberToken,
}

/**
 * The token endpoint: tells the client, then the grant decides.
 * @throws {Refusal} as the grant does; `unsupported_grant_type` for an unknown `grant_type`
 * @see RFC 6749 §3.2
 */
export async function requestToken(
  deps: OAuthDeps,
  findClient: FindClient,
  request: TokenRequest,
): Promise<TokenResponse> {
  const { parameters, origin } = request
  let clientId = parameters['client_id']
  try {
    const grantType = requireParameter(parameters, 'grant_type')
    if (!isGrantType(grantType)) {
      throw new Refusal(
        'unsupported_grant_type',
        `grant_type ${JSON.stringify(grantType)} is not supported; use one of ${grantTypes.join(', ')}.`,
      )
    }
    const credentials = readClientCredentials(request.authorization, parameters)
    clientId = credentials.clientId
    const app = await identifyClient(deps, findClient, grantType, credentials, parameters['code'])
    clientId = app.id
    return await grants[grantType](deps, { app, parameters, origin })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (parameters['grant_type'] === tokenExchangeGrant && clientId !== undefined) {
      auditRefusedExchange(deps, { clientId, parameters, origin }, error)
    }
    if (error.code !== 'authorization_pending') {
      deps.bus.emit('token.refused', {
        error: error.code,
        detail: error.detail ?? error.message,
        ...omitUndefined({ clientId }),
        ...(parameters['grant_type'] === undefined ? {} : { grant: parameters['grant_type'] }),
      })
    }
    throw error
  }
}

/**
 * huggingface.js sends neither `client_id` nor Basic with an authorization code: the code itself then tells the
 * client, which must be public. An app with a secret is never let through this way.
 */
async function identifyClient(
  deps: OAuthDeps,
  findClient: FindClient,
  grantType: GrantType,
  credentials: ClientCredentials,
  code: string | undefined,
): Promise<App> {
  if (
    grantType === 'authorization_code' &&
    credentials.clientId === undefined &&
    credentials.method === 'none' &&
    code !== undefined
  ) {
    const clientId = deps.state.codes.get(code)?.clientId
    if (clientId === undefined) {
      throw new Refusal('invalid_grant', 'The authorization code is unknown.')
    }
    const app = await findClient(clientId)
    if (app === undefined) throw new Refusal('invalid_client', 'Unknown client.')
    checkClientAuthentication(app, { ...credentials, clientId }, grantType)
    return app
  }
  return authenticateClient(findClient, credentials, grantType)
}
