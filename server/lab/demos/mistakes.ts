import type { DemoVariant } from '../../contract/words/sandbox.ts'
import type { CastApp, Part } from './cast.ts'

/** What an app does otherwise than it should, or its user, and what comes of it. */
export interface Mistake {
  /** Who can make it. */
  part: Part
  redirectUri?(app: CastApp): string
  /** Sent in place of the secret. */
  secret?: string
  /** Sent in place of the code verifier. */
  verifier?: string
  /** The code is sent a second time. */
  twice?: true
  /** The user says no. */
  denied?: true
  fix(app: CastApp): string
}

/** What every app that signs people in has. */
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
      `Send a redirect URI that is registered, to the letter, or register this one: in the fixtures, "redirectUris": [${JSON.stringify(unregistered)}] of the app ${name}; on the hub, in the settings of the app.`,
  },
  secret: {
    part: confidentialPart,
    secret: 'sandbox_a_wrong_secret',
    fix: ({ name }) =>
      `Send the secret of the app ${name}, as it stands at "clientSecret" in the fixtures and on its page of the dashboard; on the hub, in the settings of the app.`,
  },
  pkce: {
    part: signInPart,
    verifier: 'a-verifier-that-belongs-to-another-authorization-request',
    fix: () =>
      'Keep the code verifier with the state of the same request, and send that one: the hub compares its SHA-256 with the code challenge (RFC 7636 §4.6).',
  },
  'used-code': {
    part: signInPart,
    twice: true,
    fix: () =>
      'Send a code once: a retry, a page that is loaded again or two handlers of one callback send it twice. The tokens of the first time are revoked with it (RFC 6749 §4.1.2).',
  },
  denied: {
    part: signInPart,
    denied: true,
    fix: () =>
      'Nothing is wrong: the app reads "error" before "code" at its redirect URI, says that access was not granted, and lets the user try again.',
  },
} satisfies Partial<Record<DemoVariant, Mistake>>

/** Variants that are mistakes in a sign-in. */
export type SignInMistake = keyof typeof mistakes

/** What an app that signs people in asks for, as far as it may. */
export function usualScopes({ scopes }: Pick<CastApp, 'scopes'>): string[] {
  return ['openid', 'profile', 'email'].filter((scope) => scopes.includes(scope))
}
