// Words of apps, tokens and sign-ins.

/** Where an app came from: the settings page or fixtures, RFC 7591, a client metadata document, a Space. */
export const appOrigins = ['settings', 'registration', 'metadata-document', 'space'] as const
export type AppOrigin = (typeof appOrigins)[number]

/** What the hub's support switches on for an app. */
export const privileges = ['token-exchange'] as const
export type Privilege = (typeof privileges)[number]

/** How a client proves who it is (RFC 7591 §2). */
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

/** `error_description` of an `access_denied` that the user meant: at the consent page, and for a device. */
export const userDenials = {
  consent: 'The user denied the request.',
  device: 'The device code was denied by the user.',
} as const

/** How a token came about; `minted`: by hand. */
export const grantNames = [
  'authorization_code',
  'device_code',
  'refresh_token',
  'token_exchange',
  'minted',
] as const
export type GrantName = (typeof grantNames)[number]

/** Of an app, or a user access token made by hand. */
export const tokenKinds = ['oauth', 'user'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** What a user access token may do. */
export const tokenRoles = ['read', 'write', 'fineGrained'] as const
export type TokenRole = (typeof tokenRoles)[number]

export const tokenStates = ['active', 'expired', 'revoked'] as const
export type TokenState = (typeof tokenStates)[number]

/** What became of a refresh token; `none`: the access token came without one. */
export const refreshTokenStates = ['none', 'unused', 'used', 'revoked'] as const
export type RefreshTokenState = (typeof refreshTokenStates)[number]

/** What a request to the hub was made with. */
export const credentialKinds = ['access_token', 'oauth', 'session'] as const
export type CredentialKind = (typeof credentialKinds)[number]

/** What a user says to an app or a device. */
export const decisions = ['approve', 'deny'] as const
export type Decision = (typeof decisions)[number]

/** What a device learns of it. */
export const decidedStatuses = ['approved', 'denied'] as const
/** Where a device authorization stands (RFC 8628); `consumed`: its token was fetched. */
export const deviceStatuses = ['pending', ...decidedStatuses, 'consumed'] as const
export type DeviceStatus = (typeof deviceStatuses)[number]
/** As lists tell them. */
export const listedDeviceStatuses = [...deviceStatuses, 'expired'] as const

/** Whether a key signs, or is published for verification only. */
export const keyStates = ['current', 'retired'] as const
