import { isoTime } from '../../../core/time.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { TokenResponse } from '../../../contract/oauth.ts'
import type { AuthorizationCode } from '../../../store/entities/oauth-entities.ts'
import { clientKind, policy } from '../client-policy.ts'
import { Refusal } from '../../../core/refusal.ts'
import { verifyCodeChallenge } from '../pkce.ts'
import { issueTokens, revokeFamily } from '../tokens.ts'
import { grantedResources, type GrantRequest, requireParameter } from './grant-request.ts'

/**
 * Exchanges a single-use authorization code for tokens.
 * @throws {Refusal} `invalid_request` for a missing or malformed parameter; `invalid_grant` when the code is
 *   unknown, used (which revokes its tokens), expired, or bound to another client, redirect URI or challenge
 * @see RFC 6749 §4.1.3, RFC 7636 §4.6
 */
export async function authorizationCodeGrant(request: GrantRequest): Promise<TokenResponse> {
  const { deps, app, parameters, resources } = request
  const value = requireParameter(parameters, 'code')
  const redirectUri = requireParameter(parameters, 'redirect_uri')
  const code = findCode({ ...request, value, redirectUri })
  const granted = grantedResources({ deps, resources }, code.resources)
  deps.state.codes.put({ ...code, usedAt: deps.clock.now() })
  return issueTokens(deps, {
    app,
    userId: code.userId,
    grant: 'authorization_code',
    scopes: code.scopes,
    resources: granted,
    organizationIds: code.organizationIds,
    familyId: code.familyId,
    authTime: code.authTime,
    refreshable: true,
    ...omitUndefined({ nonce: code.nonce }),
  })
}

function findCode({
  deps,
  app,
  parameters,
  value,
  redirectUri,
}: GrantRequest & { value: string; redirectUri: string }): AuthorizationCode {
  const code = deps.state.codes.get(value)
  if (code === undefined) {
    throw new Refusal('invalid_grant', 'The authorization code is unknown.', {
      detail: 'it may be mistyped, have expired over a week ago, or have been deleted by a reset',
    })
  }
  if (code.clientId !== app.id) {
    throw new Refusal('invalid_grant', 'The authorization code was issued to another client.')
  }
  if (code.usedAt !== undefined) {
    const issued = deps.state.tokens.group('family', code.familyId).length
    revokeFamily(deps, code.familyId, 'its authorization code was used a second time')
    if (issued === 0) {
      throw new Refusal(
        'invalid_grant',
        'The authorization code was already used; no tokens were issued from it.',
        {
          detail:
            'with --strict, the first attempt invalidates the code, even with a wrong code_verifier',
        },
      )
    }
    throw new Refusal(
      'invalid_grant',
      'The authorization code was already used; the tokens issued from it are revoked.',
    )
  }
  if (code.expiresAt <= deps.clock.now()) {
    throw new Refusal('invalid_grant', 'The authorization code has expired.', {
      detail: `it was valid until ${isoTime(code.expiresAt)}`,
    })
  }
  if (code.redirectUri !== redirectUri) {
    throw new Refusal(
      'invalid_grant',
      'redirect_uri is not the one of the authorization request.',
      {
        detail: `the authorization request has ${code.redirectUri}, the token request has ${redirectUri}; send the same value in both`,
      },
    )
  }
  try {
    verifyCodeChallenge(code.codeChallenge, parameters['code_verifier'])
  } catch (error) {
    // The Hub lets the client try again; under `strict` there is one attempt.
    if (deps.settings.strict) deps.state.codes.put({ ...code, usedAt: deps.clock.now() })
    throw error
  }
  if (
    code.codeChallenge === undefined &&
    policy.authorization_code[clientKind(app)].pkce === 'required'
  ) {
    throw new Refusal(
      'invalid_grant',
      'The app has become public since the code was issued, and the code was issued without PKCE.',
    )
  }
  return code
}
