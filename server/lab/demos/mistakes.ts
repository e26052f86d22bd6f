import type { DemoVariant } from '../../contract/words/sandbox-words.ts'
import type { CastApp, Part } from './cast.ts'
import type { Scene } from './scene.ts'

/** Mistake of an app, or a denial by its user, with the fix. */
export interface Mistake {
  /** Apps that can make it. */
  part: Part
  redirectUri?(app: CastApp): string
  /** Wrong secret to send. */
  secret?: string
  /** Wrong code verifier to send. */
  verifier?: string
  /** Sends the code a second time. */
  twice?: true
  /** The user denies the request. */
  denied?: true
  fix(app: CastApp): string
}

/** Requirements on an app that signs users in. */
export const signInPart: Part = {
  fits: ({ redirectUris }) => redirectUris.length > 0,
  what: 'an app with a redirect URI',
  fixture: { name: 'My app', redirectUris: ['http://localhost/callback'], scopes: ['openid'] },
}

const confidentialPart: Part = {
  fits: ({ clientSecret, redirectUris }) => clientSecret !== undefined && redirectUris.length > 0,
  what: 'an app with a secret and a redirect URI',
  fixture: { ...signInPart.fixture, clientSecret: 'sandbox_secret' },
}

const unregistered = 'http://localhost/not-registered'

/** Mistakes in a sign-in; those of an exchange are beside the exchange. */
export const mistakes = {
  'redirect-uri': {
    part: signInPart,
    redirectUri: ({ redirectUris }) =>
      redirectUris.includes(unregistered) ? `${unregistered}-either` : unregistered,
    fix: ({ name }) =>
      `Send a redirect URI exactly as registered, or register this one: in the fixtures, "redirectUris": [${JSON.stringify(unregistered)}] of the app ${name}; on the Hub, in the settings of the app.`,
  },
  secret: {
    part: confidentialPart,
    secret: 'sandbox_a_wrong_secret',
    fix: ({ name }) =>
      `Send the secret of the app ${name}: it is "clientSecret" in the fixtures, and on the app’s page of the dashboard; on the Hub, it is in the settings of the app.`,
  },
  pkce: {
    part: signInPart,
    verifier: 'a-verifier-that-belongs-to-another-authorization-request',
    fix: () =>
      'Store the code verifier with the state of the same request, and send that verifier: the Hub compares its SHA-256 with the code challenge (RFC 7636 §4.6).',
  },
  'used-code': {
    part: signInPart,
    twice: true,
    fix: () =>
      'Send each code once: a retry, a reloaded page or two handlers of one callback send it twice. A second use also revokes the tokens of the first (RFC 6749 §4.1.2).',
  },
  denied: {
    part: signInPart,
    denied: true,
    fix: () =>
      'No fix is needed: at its redirect URI the app must check "error" before "code", show that access was denied, and let the user try again.',
  },
} satisfies Partial<Record<DemoVariant, Mistake>>

/** Returns the scopes that an app requests: those of the demo, or the usual ones of its settings. */
export function scopesOf(
  { scope }: Pick<Scene, 'scope'>,
  { scopes }: Pick<CastApp, 'scopes'>,
): string {
  if (scope !== undefined) return scope.trim()
  return ['openid', 'profile', 'email'].filter((usual) => scopes.includes(usual)).join(' ')
}
