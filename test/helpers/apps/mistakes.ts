/** Mistakes that the example app can make, each with the modules of the app audit that it fails. */
export const mistakes = {
  // ID token
  'ignores-id-token': ['id-token/garbage'],
  'no-issuer-check': ['id-token/issuer', 'session/refresh-id-token'],
  'no-audience-check': ['id-token/audience', 'id-token/no-audience'],
  'no-subject-check': ['id-token/no-subject'],
  'no-issue-time-check': ['id-token/no-issued-at'],
  'no-expiry-check': ['id-token/expired', 'id-token/no-expiry'],
  'optional-expiry': ['id-token/no-expiry'],
  'no-nonce-check': ['id-token/nonce', 'id-token/no-nonce'],
  'optional-nonce': ['id-token/no-nonce'],
  'trusts-second-audience': ['id-token/second-audience'],
  'takes-hmac': ['id-token/hs256-public-key'],
  'trusts-key-in-header': ['id-token/embedded-key'],
  'fetches-named-keys': ['id-token/embedded-key'],
  'fetches-named-certificate': ['id-token/embedded-key'],
  // Keys of the hub
  'reads-keys-once': ['keys/rotated'],
  'requires-old-key': ['keys/just-before-signing'],
  'requires-key-name': ['keys/no-kid'],
  'breaks-at-two-keys': ['keys/no-kid-two'],
  'reads-keys-often': ['keys/unknown'],
  'remembers-failed-keys': ['keys/unavailable'],
  // Userinfo
  'no-userinfo-subject-check': ['userinfo/other-subject'],
  'breaks-without-userinfo': ['userinfo/unavailable', 'userinfo/not-json'],
  // Identity
  'links-by-email': ['identity/unverified-email'],
  // Callback
  'no-state-check': ['callback/state-changed', 'callback/state-missing'],
  'optional-state': ['callback/state-missing'],
  'sign-in-without-session': ['callback/foreign-session'],
  'redeems-code-again': ['callback/twice'],
  'breaks-when-denied': ['callback/denied'],
  'shows-description-unescaped': ['callback/markup'],
  'refuses-unknown-parameters': ['callback/unknown-parameters'],
  'limits-code': ['callback/long-code'],
  // Metadata
  'no-metadata-issuer-check': ['metadata/other-issuer'],
  'refuses-unknown-metadata': ['metadata/more'],
  // Token response
  'breaks-without-tokens': ['token/server-error', 'token/proxy-page', 'token/cut', 'token/half'],
  'repeats-code': ['token/server-error', 'token/proxy-page', 'token/cut', 'token/half'],
  'blocks-after-failure': ['token/server-error', 'token/proxy-page', 'token/cut', 'token/half'],
  'breaks-when-slow': ['token/slow'],
  'no-access-token-check': ['token/no-access-token'],
  'no-token-type-check': ['token/other-type'],
  'requires-lower-case-type': ['token/type-case'],
  'refuses-unknown-members': ['token/more'],
  'requires-refresh-token': ['token/no-refresh'],
  'requires-expiry': ['token/no-expiry'],
  'optional-id-token': ['token/no-id-token'],
  'breaks-without-scopes': ['token/narrower'],
  'ignores-granted-scopes': ['token/narrower'],
  'limits-token': ['token/long'],
  // Session
  'keeps-dead-token': ['session/expired-token', 'session/revoked'],
  'repeats-refused-refresh': ['session/refresh-refused', 'session/refresh-lost', 'session/revoked'],
  'keeps-old-refresh-token': ['session/refresh-rotated'],
  'refreshes-at-once': ['session/refresh-race'],
  'repeats-lost-refresh': ['session/refresh-lost'],
  'no-refreshed-id-token-check': ['session/refresh-id-token', 'session/refresh-subject'],
  'no-refreshed-subject-check': ['session/refresh-subject'],
  'does-not-wait': ['session/too-many'],
  // Device
  'polls-too-fast': ['device/pending', 'device/slow-down', 'device/interval', 'device/unavailable'],
  'ignores-slow-down': ['device/slow-down'],
  'polls-after-denial': ['device/denied'],
  'polls-after-expiry': ['device/expired'],
  'ignores-usual-interval': ['device/interval'],
  'stops-at-failure': ['device/unavailable'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Omissions that a standard allows, each with the modules whose outcome says so. */
export const tolerated = {
  'no-signature-check': [
    'id-token/alg-none',
    'id-token/hs256-public-key',
    'id-token/signature',
    'id-token/embedded-key',
    'keys/unknown',
  ],
  'no-hash-check': ['id-token/at-hash'],
  'no-callback-issuer-check': ['callback/other-issuer'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Mistake = keyof typeof mistakes | keyof typeof tolerated
