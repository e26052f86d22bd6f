import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Media, NoBody } from './control.ts'
import { authenticationMethods, decisions, grantTypes } from './words/oauth.ts'

// The OAuth endpoints on the wire, in the words of their RFCs. They read their parameters themselves, since a repeated or
// malformed one has its own error there; these shapes are for the types and the OpenAPI document.

const Text = (description: string) => Type.String({ description })
const Optional = (description: string) => Type.Optional(Text(description))
const Seconds = (description: string) => Type.Integer({ description })
const Scope = 'Scope names, separated by spaces (RFC 6749 §3.3)'

export const AuthorizationQuery = Type.Object({
  client_id: Text('UUID of an app, or address of a client metadata document'),
  redirect_uri: Text(
    'A registered URI; on loopback with `http` the port may differ (RFC 8252 §7.3)',
  ),
  response_type: Type.Optional(OneOf(['code'], 'Default: code')),
  scope: Optional(`${Scope}; default: those of the app`),
  state: Optional('Comes back as it was sent'),
  code_challenge: Optional('PKCE (RFC 7636 §4.2); public apps must send it'),
  code_challenge_method: Type.Optional(OneOf(['S256'], 'Goes with `code_challenge`')),
  nonce: Optional('Comes back in the ID token'),
  orgIds: Optional('Ids of organizations to tick at consent: repeated, or separated by commas'),
  prompt: Optional('none, login, consent or select_account (OpenID Connect Core §3.1.2.1)'),
  max_age: Optional('Seconds since the sign-in; after more the user signs in again'),
  id_token_hint: Optional('ID token of the only user whom the client takes an answer for'),
  login_hint: Optional('Username or e-mail address of whom the login page suggests'),
})

export const ConsentForm = Type.Object({
  decision: Type.Optional(OneOf(decisions, 'What the user says')),
  organization: Type.Optional(
    Type.Array(Type.String(), { description: 'Ids of the organizations that are ticked' }),
  ),
  nonce: Optional('Of the page; a program with the session cookie leaves it out'),
})

export const LoginForm = Type.Object({
  user: Text('Username'),
  password: Optional('Of a user who has one'),
  next: Optional('Path to go to'),
})

export const LogoutForm = Type.Object({
  next: Optional('Path that the login page goes on to'),
})

export const DeviceCodeForm = Type.Object({
  user_code: Text('As the device shows it, with or without hyphen and capitals'),
  decision: Type.Optional(OneOf(decisions, 'Absent: show what is asked for')),
  organization: ConsentForm.properties.organization,
  nonce: ConsentForm.properties.nonce,
})

const clientFields = {
  client_id: Optional('Absent with `Authorization: Basic`'),
  client_secret: Optional('In place of `Authorization: Basic`'),
}

export const TokenForm = Type.Object({
  grant_type: OneOf(grantTypes, 'Decides which of the others are read'),
  ...clientFields,
  code: Optional('authorization_code'),
  redirect_uri: Optional('authorization_code: the one of the authorization request'),
  code_verifier: Optional('authorization_code: 43 to 128 characters (RFC 7636 §4.1)'),
  refresh_token: Optional('refresh_token: good for one use'),
  device_code: Optional('device_code'),
  subject_token: Optional('token-exchange: e-mail address of a member of the organization'),
  subject_token_type: Optional('token-exchange: `urn:service:token-type:user-email`'),
  scope: Optional(`refresh_token, token-exchange: ${Scope}; default: all`),
})

/** RFC 6749 §5.1, OpenID Connect Core §3.1.3.3. */
export const TokenResponse = Type.Object({
  access_token: Text('Bearer token'),
  token_type: OneOf(['bearer'], 'RFC 6750'),
  expires_in: Seconds('Seconds'),
  scope: Text(Scope),
  refresh_token: Optional('Not from a token exchange'),
  id_token: Optional('JWT, with the scope openid'),
  issued_token_type: Type.Optional(
    OneOf(['urn:ietf:params:oauth:token-type:access_token'], 'token-exchange'),
  ),
})
export type TokenResponse = Static<typeof TokenResponse>

export const DeviceAuthorizationForm = Type.Object({
  ...clientFields,
  scope: Optional(`${Scope}; default: those of the app`),
})

/** RFC 8628 §3.2; the last two only where the settings ask for them, since the hub sends neither. */
export const DeviceAuthorizationResponse = Type.Object({
  device_code: Text('For the token endpoint'),
  user_code: Text('For the user, XXXX-XXXX'),
  verification_uri: Text('Where the user types it'),
  expires_in: Seconds('Seconds'),
  interval: Type.Optional(Seconds('Seconds between polls; absent: 5')),
  verification_uri_complete: Optional('The page with the code filled in'),
})
export type DeviceAuthorizationResponse = Static<typeof DeviceAuthorizationResponse>

const Strings = (description: string) => Type.Array(Type.String(), { description })

/** RFC 7591 §2; all are optional. */
export const RegistrationRequest = Type.Object({
  redirect_uris: Type.Optional(Strings('Where codes may be sent')),
  client_name: Optional('Name shown at consent'),
  client_uri: Optional('Its site'),
  logo_uri: Optional('Its picture'),
  scope: Optional(Scope),
  contacts: Type.Optional(Strings('Echoed')),
  token_endpoint_auth_method: Type.Optional(OneOf(authenticationMethods, 'none = a public app')),
  software_id: Optional('Echoed'),
  software_version: Optional('Echoed'),
})

/** RFC 7591 §3.2.1. */
export const RegistrationAnswer = Type.Object(
  {
    client_id: Text('UUID'),
    client_id_issued_at: Seconds('Seconds since 1970'),
    client_secret: Optional('Absent for a public app'),
    client_secret_expires_at: Seconds('0 = never'),
    redirect_uris: Strings('As registered'),
    scope: Text(Scope),
    grant_types: Strings('Whatever was asked, the server decides'),
  },
  { description: 'Registered; what was sent is echoed' },
)

const Flag = (description: string) => Type.Boolean({ description })

const UserinfoOrganization = Type.Object({
  sub: Text('Id, for `orgIds`'),
  name: Text('Name to show'),
  preferred_username: Text('Name in addresses'),
  picture: Text('Address of its picture'),
  plan: Optional('Absent = free'),
  canPay: Type.Optional(Flag('read-billing, granted organizations')),
  billingMode: Optional('read-billing, granted organizations'),
  roleInOrg: Optional('Granted organizations, or read-memberships'),
})

export const UserinfoAnswer = Type.Object({
  sub: Text('Id of the user'),
  name: Optional('profile'),
  preferred_username: Optional('profile'),
  profile: Optional('profile: address of the page'),
  picture: Optional('profile'),
  website: Optional('profile'),
  email: Optional('email'),
  email_verified: Type.Optional(Flag('email')),
  isPro: Flag('Whether the user pays for an account'),
  canPay: Type.Optional(Flag('read-billing')),
  billingMode: Optional('read-billing'),
  orgs: Type.Array(UserinfoOrganization, { description: 'Organizations of the user' }),
  organizations: Type.Array(UserinfoOrganization, { description: 'The same, by its other name' }),
})

export const Page = (description: string) => Media('text/html', description)
export const Redirect = NoBody

export const ServerMetadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Metadata (OpenID Connect Discovery §3, RFC 8414 §2)',
})

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'RS256' }) },
  { description: 'JWK set (RFC 7517 §5)' },
)

export const OAuthErrorBody = Type.Object(
  {
    error: Text('Code of the RFC'),
    error_description: Text('What is wrong, and how to fix it'),
  },
  { description: 'Refused (RFC 6749 §5.2)' },
)
