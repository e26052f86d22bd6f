import type { DemoKind, DemoVariant } from '../../../server/contract/words/sandbox.ts'

/** What each kind is called on its button, and what it shows. */
export const kindWords: Record<DemoKind, { title: string; lead: string }> = {
  'sign-in': {
    title: 'Try a sign-in',
    lead: 'The sandbox plays an app that signs a user in, with the authorization code flow and PKCE.',
  },
  device: {
    title: 'Try a device',
    lead: 'The sandbox plays a device without a browser: it shows a code and asks until the user has answered.',
  },
  exchange: {
    title: 'Try an exchange',
    lead: 'The sandbox plays the backend of an organization, which exchanges its credentials for a member’s token.',
  },
  refused: {
    title: 'Try a refused one',
    lead: 'The sandbox plays an app that makes a usual mistake. What the hub says of it is drawn, with what fixes it.',
  },
}

export const variantWords: Record<DemoVariant, string> = {
  'redirect-uri': 'A redirect URI that is not registered',
  scope: 'An exchange for a scope that the app does not have',
  secret: 'A wrong client secret',
  pkce: 'A code verifier of another request',
  'used-code': 'A code that is sent twice',
  denied: 'The user says no',
  'not-a-member': 'An exchange for a user who is not a member',
}
