/** Names of messages, and their meaning for the reader of a sign-in. */
const messageNames = {
  'authorization request':
    'The browser requests an authorization code for this app (RFC 6749 §4.1.1).',
  'redirect to the Hub': 'The app redirects the browser to the Hub, with its request in the query.',
  'redirect to the login page': 'No user is signed in, or the user must sign in again.',
  'request for the login page': 'The browser opens the login page.',
  'login page': 'The Hub asks the user to sign in.',
  'password page': 'The Hub asks for the user’s password.',
  'sign-in form': 'The user signs in.',
  'redirect back': 'The user is signed in; the browser repeats the authorization request.',
  'consent page': 'The Hub asks the user for consent.',
  'user approves': 'The user grants the request.',
  'user denies': 'The user denies the request.',
  'code → redirect URI':
    'The Hub redirects the browser to the app, with a single-use code (RFC 6749 §4.1.2).',
  'error → redirect URI':
    'The Hub redirects the browser to the app, with an error instead of a code (RFC 6749 §4.1.2.1).',
  'redirect URI called': 'The browser passes the Hub’s response to the app.',
  'token request': 'The app exchanges the code for tokens (RFC 6749 §4.1.3).',
  'token request with PKCE':
    'The app exchanges the code for tokens and proves with the verifier that it requested the code (RFC 7636 §4.5).',
  'token response': 'The app receives its tokens (RFC 6749 §5.1).',
  'refresh request': 'The app exchanges its refresh token for new tokens (RFC 6749 §6).',
  'token exchange request':
    'The app requests a token for a member of its organization, without the member’s consent (RFC 8693 §2.1).',
  'CI identity exchange':
    'A CI job exchanges the ID token of its provider for a token of a repo or user (RFC 8693 §2.1).',
  'device authorization request': 'The device requests a code for its user (RFC 8628 §3.1).',
  'device authorization response':
    'The device receives a device code, a user code and the URL to enter it at (RFC 8628 §3.2).',
  'user code shown': 'The device shows the code and the URL to its user (RFC 8628 §3.3).',
  'request for the code page': 'The user opens the URL that the device shows.',
  'code page': 'The Hub asks the user for the device’s code.',
  'user enters code': 'The user enters the device’s code.',
  'request for the consent page': 'The browser opens the consent page.',
  'request for the confirmation page': 'The browser opens the confirmation page.',
  'confirmation page': 'The user can return to the device.',
  'device token request': 'The device polls for its tokens (RFC 8628 §3.4).',
  'userinfo request':
    'The app requests the user’s claims with its access token (OpenID Connect Core §5.3.1).',
  'userinfo response': 'The Hub returns the user’s claims (OpenID Connect Core §5.3.2).',
  'registration request': 'The app registers itself (RFC 7591 §3.1).',
  'registration response': 'The app receives its client ID (RFC 7591 §3.2.1).',
  'metadata document request':
    'The client ID is the URL of a metadata document, which the Hub fetches.',
  'metadata document': 'The document describes the app and its redirect URIs.',
  redirect: 'The Hub redirects the browser to another of its pages.',
  response: 'The Hub responds.',
  'error response': 'The Hub refuses the request.',
  'error page': 'The Hub shows the error to the user and does not redirect to the app.',
} as const satisfies Record<string, string>

export type MessageName = keyof typeof messageNames

/** @param name may name another message, which has no explanation */
export function meaningOf(name: string): string | undefined {
  return Object.hasOwn(messageNames, name) ? messageNames[name as MessageName] : undefined
}
