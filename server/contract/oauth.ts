import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Media, NoBody } from './control.ts'
import { idTokenType } from './words/ci-words.ts'
import {
  authenticationMethods,
  decisions,
  grantTypes,
  tokenExchangeGrant,
} from './words/oauth-words.ts'
import { flag, text } from './plain-fields.ts'

// The OAuth endpoints on the wire, in the words of their RFCs. The endpoints read their parameters themselves, because
// a repeated or malformed one has its own error; these shapes are for types and the OpenAPI document.

const Optional = (description: string) => Type.Optional(text(description))
const Seconds = (description: string) => Type.Integer({ description })
const Scope = 'Scope names, separated by spaces (RFC 6749 §3.3)'

export const AuthorizationQuery = Type.Object({
  client_id: text('UUID of an app, or URL of a client metadata document'),
  redirect_uri: text(
    'Registered redirect URI; on loopback with `http` the port may differ (RFC 8252 §7.3)',
  ),
  response_type: Type.Optional(OneOf(['code'], 'Default: code')),
  scope: Optional(`${Scope}; default: those of the app`),
  state: Optional('Returned unchanged'),
  code_challenge: Optional('PKCE (RFC 7636 §4.2); public apps must send it'),
  code_challenge_method: Type.Optional(OneOf(['S256'], 'Method of `code_challenge`')),
  nonce: Optional('Returned in the ID token'),
  orgIds: Optional('Ids of organizations to preselect at consent, repeated or comma-separated'),
  prompt: Optional('none, login, consent or select_account (OpenID Connect Core §3.1.2.1)'),
  max_age: Optional(
    'Maximum age of the session in seconds; the user must sign in again after that',
  ),
  id_token_hint: Optional('ID token of the user that must be signed in'),
  login_hint: Optional('Username or e-mail address to preselect on the login page'),
})

export const ConsentForm = Type.Object({
  decision: Type.Optional(OneOf(decisions, 'Decision of the user')),
  organization: Type.Optional(
    Type.Array(Type.String(), { description: 'Ids of the organizations granted' }),
  ),
  nonce: Optional('Nonce of the page; programs with a session cookie leave it out'),
})

export const LoginForm = Type.Object({
  user: text('Username'),
  password: Optional('Password, if the user has one'),
  next: Optional('Path to redirect to'),
})

export const LogoutForm = Type.Object({
  next: Optional('Path to redirect to after login'),
})

export const DeviceCodeForm = Type.Object({
  user_code: text('User code, with or without hyphen, in any case'),
  decision: Type.Optional(OneOf(decisions, 'Decision; absent: show what the device requests')),
  organization: ConsentForm.properties.organization,
  nonce: ConsentForm.properties.nonce,
})

const clientFields = {
  client_id: Optional('Client id; absent with `Authorization: Basic`'),
  client_secret: Optional('Client secret, instead of `Authorization: Basic`'),
}

export const TokenForm = Type.Object({
  grant_type: OneOf(grantTypes, 'Grant type; decides which other parameters are read'),
  ...clientFields,
  code: Optional('authorization_code'),
  redirect_uri: Optional('authorization_code: same as in the authorization request'),
  code_verifier: Optional('authorization_code: 43 to 128 characters (RFC 7636 §4.1)'),
  refresh_token: Optional('refresh_token: single-use'),
  device_code: Optional('device_code'),
  subject_token: Optional(
    'token-exchange: e-mail address of a member of the organization, or the ID token of a CI job',
  ),
  subject_token_type: Optional(
    `token-exchange: \`urn:service:token-type:user-email\` or \`${idTokenType}\``,
  ),
  resource: Optional('token-exchange of an ID token: repo or username that the token is for'),
  scope: Optional(`refresh_token, token-exchange: ${Scope}; default: all`),
})

/** Exchange of the ID token of a CI job, which can also be JSON (RFC 8693 §2.1). */
export const CiExchange = Type.Object({
  grant_type: OneOf([tokenExchangeGrant], 'token-exchange'),
  subject_token_type: OneOf([idTokenType], 'An ID token'),
  subject_token: text('ID token (JWT) of the CI job; its `aud` is the URL of the Hub'),
  resource: text('Repo (`ns/name`, `datasets/ns/name`, `spaces/ns/name`) or username'),
})
export type CiExchange = Static<typeof CiExchange>

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export const TokenResponse = Type.Object({
  access_token: text('Bearer token'),
  token_type: OneOf(['bearer'], 'RFC 6750'),
  expires_in: Seconds('Seconds'),
  scope: Optional(`${Scope}; absent for the ID token of a CI job`),
  refresh_token: Optional('Refresh token; absent for a token exchange'),
  id_token: Optional('ID token (JWT), if the scope includes openid'),
  issued_token_type: Type.Optional(
    OneOf(['urn:ietf:params:oauth:token-type:access_token'], 'token-exchange'),
  ),
})
export type TokenResponse = Static<typeof TokenResponse>

export const DeviceAuthorizationForm = Type.Object({
  ...clientFields,
  scope: Optional(`${Scope}; default: those of the app`),
})

/** RFC 8628 §3.2; the last two are only sent if configured, because the hub sends neither. */
export const DeviceAuthorizationResponse = Type.Object({
  device_code: text('Device code, for the token endpoint'),
  user_code: text('User code, XXXX-XXXX'),
  verification_uri: text('URL where the user enters the code'),
  expires_in: Seconds('Seconds'),
  interval: Type.Optional(Seconds('Seconds between polls; absent: 5')),
  verification_uri_complete: Optional('URL with the code filled in'),
})
export type DeviceAuthorizationResponse = Static<typeof DeviceAuthorizationResponse>

const Strings = (description: string) => Type.Array(Type.String(), { description })

/** RFC 7591 §2; all are optional. */
export const RegistrationRequest = Type.Object({
  redirect_uris: Type.Optional(Strings('Redirect URIs')),
  client_name: Optional('Name on the consent page'),
  client_uri: Optional('URL of the web site'),
  logo_uri: Optional('URL of the logo'),
  scope: Optional(Scope),
  contacts: Type.Optional(Strings('Returned unchanged')),
  token_endpoint_auth_method: Type.Optional(
    OneOf(authenticationMethods, 'Authentication method; `none`: a public app'),
  ),
  software_id: Optional('Returned unchanged'),
  software_version: Optional('Returned unchanged'),
})

/** RFC 7591 §3.2.1. */
export const ClientInformation = Type.Object(
  {
    client_id: text('UUID'),
    client_id_issued_at: Seconds('Seconds since 1970'),
    client_secret: Optional('Secret; absent for a public app'),
    client_secret_expires_at: Seconds('Seconds since 1970; 0 = never'),
    redirect_uris: Strings('Registered redirect URIs'),
    scope: text(Scope),
    grant_types: Strings('Grant types; chosen by the server, whatever was requested'),
  },
  { description: 'Registered app; further fields of the request are returned unchanged' },
)

const UserinfoOrganization = Type.Object({
  sub: text('Id, as used in `orgIds`'),
  name: text('Display name'),
  preferred_username: text('Name in URLs'),
  picture: text('URL of the picture'),
  plan: Optional('Plan; absent = free'),
  canPay: Type.Optional(flag('read-billing, for granted organizations')),
  billingMode: Optional('read-billing, for granted organizations'),
  roleInOrg: Optional('Role; only for granted organizations or with read-memberships'),
})

export const UserinfoResponse = Type.Object({
  sub: text('Id of the user'),
  name: Optional('profile'),
  preferred_username: Optional('profile'),
  profile: Optional('profile: URL of the profile page'),
  picture: Optional('profile'),
  website: Optional('profile'),
  email: Optional('email'),
  email_verified: Type.Optional(flag('email')),
  isPro: flag('Whether the user has a PRO subscription'),
  canPay: Type.Optional(flag('read-billing')),
  billingMode: Optional('read-billing'),
  orgs: Type.Array(UserinfoOrganization, { description: 'Organizations of the user' }),
  organizations: Type.Array(UserinfoOrganization, { description: 'Same as `orgs`' }),
})

export const Page = (description: string) => Media('text/html', description)
export const Redirect = NoBody

export const ServerMetadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Metadata (OpenID Connect Discovery §3, RFC 8414 §2)',
})

export const ResourceMetadata = Type.Object(
  {
    resource: text('URL of the MCP server, under the host of the request'),
    authorization_servers: Type.Array(Type.String(), { description: 'The issuer' }),
    scopes_supported: Type.Array(Type.String()),
    bearer_methods_supported: Type.Array(Type.String()),
  },
  { description: 'Metadata of the MCP server (RFC 9728 §2)' },
)
export type ResourceMetadata = Static<typeof ResourceMetadata>

export const McpQuery = Type.Object({
  login: Type.Optional(text('Any value: reading requires a sign-in, too')),
})
export type McpQuery = Static<typeof McpQuery>

const JsonRpcId = Type.Union([Type.String(), Type.Number(), Type.Null()])

export const JsonRpcMessage = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(JsonRpcId),
    method: text('`initialize`, `tools/list`, `tools/call` …'),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: 'Message of the Model Context Protocol' },
)
export type JsonRpcMessage = Static<typeof JsonRpcMessage>

export const JsonRpcResponse = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: JsonRpcId,
    result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
  },
  { description: 'Response (JSON-RPC 2.0 §5)' },
)
export type JsonRpcResponse = Static<typeof JsonRpcResponse>

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'RS256' }) },
  { description: 'JWK set (RFC 7517 §5)' },
)

export const OAuthErrorBody = Type.Object(
  {
    error: text('Error code of the RFC'),
    error_description: text('What is wrong, and how to fix it'),
  },
  { description: 'Request refused (RFC 6749 §5.2)' },
)
