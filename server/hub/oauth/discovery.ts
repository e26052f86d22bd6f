import type { Settings } from '../../core/settings.ts'
import { offeredGrants } from './client-policy.ts'
import { idTokenClaims } from './id-token.ts'
import { documentedScopes, mcpScopes } from '../../contract/scopes.ts'
import { authenticationMethods, secretMethods } from '../../contract/words/oauth-words.ts'

/**
 * Builds the metadata document with the Hub's own keys. `issuer` and browser endpoints come from the configuration, never
 * from the request.
 * @param strict adds members that the Hub leaves out
 * @param root root of the back-channel endpoints: the base URL, or the back-channel URL
 * @see OpenID Connect Discovery §3, RFC 8414 §2 and §3.3
 */
export function buildDiscoveryDocument(
  { baseUrl, strict, sendIss }: Pick<Settings, 'baseUrl' | 'strict' | 'sendIss'>,
  root: string,
) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${root}/oauth/token`,
    userinfo_endpoint: `${root}/oauth/userinfo`,
    device_authorization_endpoint: `${root}/oauth/device`,
    registration_endpoint: `${root}/oauth/register`,
    jwks_uri: `${root}/oauth/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: offeredGrants.toReversed(),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: secretMethods,
    // The Hub's own name, and that of the draft, which is the only one that MCP clients read.
    client_id_metadata_supported: true,
    client_id_metadata_document_supported: true,
    ...(strict ? strictMetadata : {}),
    // RFC 9207 §3
    ...(strict || sendIss ? { authorization_response_iss_parameter_supported: true } : {}),
  }
}

const strictMetadata = {
  // The Hub leaves out `none`, which it accepts.
  token_endpoint_auth_methods_supported: authenticationMethods,
  scopes_supported: documentedScopes,
  claims_supported: idTokenClaims,
  claims_parameter_supported: false,
  request_parameter_supported: false,
  // Absent means true (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
}

/** Path of the Hub's MCP server. */
export const mcpPath = '/mcp'

/**
 * Builds the metadata of the Hub's MCP server.
 * @param root origin that the client used, so that `resource` is the URL it knows
 * @see RFC 9728 §2
 */
export function buildProtectedResourceMetadata(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  root: string,
) {
  return {
    resource: `${root}${mcpPath}`,
    authorization_servers: [baseUrl],
    scopes_supported: mcpScopes,
    bearer_methods_supported: ['header'],
  }
}
