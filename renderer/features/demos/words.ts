import {
  type DemoKind,
  demoKinds,
  type DemoVariant,
} from '../../../server/contract/words/sandbox-words.ts'

/** Title of each kind of demo, which is also its button, and what it shows. */
export const kindWords: Record<DemoKind, { title: string; lead: string }> = {
  'sign-in': {
    title: 'Run a sign-in',
    lead: 'The sandbox acts as an app that signs a user in with the authorization code flow and PKCE.',
  },
  device: {
    title: 'Run a device flow',
    lead: 'The sandbox acts as a device without a browser. It shows a code and polls until the user decides.',
  },
  exchange: {
    title: 'Run a token exchange',
    lead: 'The sandbox acts as the backend of an organization and exchanges its credentials for a member’s token.',
  },
  refresh: {
    title: 'Run a token refresh',
    lead: 'The sandbox acts as an app that signs a user in, then exchanges its refresh token for new tokens.',
  },
  'step-up': {
    title: 'Run a step-up',
    lead: 'The API refuses the token of an app for lack of a scope; the app asks the user for that scope.',
  },
  silent: {
    title: 'Run a silent sign-in',
    lead: 'The user has a session and has approved the app before: it signs the user in without a page (prompt=none).',
  },
  refused: {
    title: 'Run a failing flow',
    lead: 'The sandbox acts as an app that makes a common mistake, and shows the error and how to fix it.',
  },
  webhook: {
    title: 'Run a webhook',
    lead: 'The sandbox acts as a receiver that fails once: event, delivery, response, retry and replay.',
  },
  'failing-webhook': {
    title: 'Run a failing webhook',
    lead: 'The sandbox acts as a receiver with the wrong secret, which refuses every attempt.',
  },
}

export const variantWords: Record<DemoVariant, string> = {
  'redirect-uri': 'Unregistered redirect URI',
  scope: 'Token exchange for a scope that the app does not have',
  secret: 'Wrong client secret',
  pkce: 'Code verifier of another request',
  'used-code': 'Authorization code sent twice',
  denied: 'User denies access',
  'used-refresh-token': 'Refresh token sent twice',
  'login-required': 'Silent sign-in without a session',
  'not-a-member': 'Token exchange for a user who is not a member',
}

/** Kinds of demos that are drawn among the sign-ins. */
export const signInKinds = demoKinds.filter(
  (kind) => kind !== 'webhook' && kind !== 'failing-webhook',
)

/** Texts that several places of this feature share. */
export const words = {
  // Dialog
  scopesHint:
    'Separated by spaces. Default: openid, profile and email, as far as the app has them.',
} as const
