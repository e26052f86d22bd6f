// Words of apps, tokens and sign-ins.

/** Origins of an app: settings page or fixtures, RFC 7591, a client metadata document, a Space. */
export const appOrigins = ['settings', 'registration', 'metadata-document', 'space'] as const

/** Privileges that hub support grants to an app. */
export const privileges = ['token-exchange'] as const
export type Privilege = (typeof privileges)[number]

/** Client authentication methods (RFC 7591 §2). */
export const secretMethods = ['client_secret_basic', 'client_secret_post'] as const
export const authenticationMethods = [...secretMethods, 'none'] as const
export type AuthenticationMethod = (typeof authenticationMethods)[number]

/** Values of `grant_type` (RFC 6749 §4, RFC 8628 §3.4, RFC 8693 §2.1). */
export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  deviceCodeGrant,
  tokenExchangeGrant,
] as const
export type GrantType = (typeof grantTypes)[number]

/** `error_description` of an `access_denied` by the user, on the consent page and for a device. */
export const userDenials = {
  consent: 'The user denied the request.',
  device: 'The device code was denied by the user.',
} as const

/** Errors after which a device polls again (RFC 8628 §3.5): the flow goes on. */
export const pollAgainErrors: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down'])

/** Origins of a token; `minted`: created manually. */
export const grantNames = [
  'authorization_code',
  'device_code',
  'refresh_token',
  'token_exchange',
  'minted',
] as const
export type GrantName = (typeof grantNames)[number]

/** Kinds of tokens: of an app, or a user access token. */
export const tokenKinds = ['oauth', 'user'] as const

/** Roles of a user access token. */
export const tokenRoles = ['read', 'write', 'fineGrained'] as const
export type TokenRole = (typeof tokenRoles)[number]

export const tokenStates = ['active', 'expired', 'revoked'] as const
export type TokenState = (typeof tokenStates)[number]

/** Statuses of a refresh token; `none`: the access token was issued without one. */
export const refreshTokenStates = ['none', 'unused', 'used', 'revoked', 'expired'] as const
export type RefreshTokenState = (typeof refreshTokenStates)[number]

/** Kinds of credentials of a request to the hub. */
export const credentialKinds = ['access_token', 'oauth', 'session'] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** Decisions of a user about an app or device. */
export const decisions = ['approve', 'deny'] as const
export type Decision = (typeof decisions)[number]

/** Results of a decision for a device. */
export const decidedStatuses = ['approved', 'denied'] as const
/** Statuses of a device authorization (RFC 8628); `consumed`: its token was fetched. */
export const deviceStatuses = ['pending', ...decidedStatuses, 'consumed'] as const
/** States in lists. */
export const listedDeviceStatuses = [...deviceStatuses, 'expired'] as const

/** States of a key: signing, or published for verification only. */
export const keyStates = ['current', 'retired'] as const
