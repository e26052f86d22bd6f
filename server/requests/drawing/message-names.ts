/** Names of messages, and their meaning for the reader of a sign-in. */
const messageNames = {
  'authorization request': 'The browser asks the hub for a code for this app (RFC 6749 §4.1.1).',
  'redirect to the hub':
    'The app tells its browser to go to the hub, with what it asks for in the address.',
  'redirect to the login page': 'Nobody is signed in yet, or the user is to sign in again.',
  'request for the login page': 'The browser opens the login page.',
  'login page': 'The hub asks the user to sign in.',
  'password page': 'The hub asks for the user’s password.',
  'sign-in form': 'The user signs in.',
  'redirect back': 'The hub knows the user now; the browser repeats the authorization request.',
  'consent page': 'The hub asks the user whether the app may have what it asks for.',
  'the user allows': 'The user lets the app have what it asks for.',
  'the user denies': 'The user does not let the app in.',
  'code → redirect URI':
    'The hub sends the browser back to the app, with a code that works once (RFC 6749 §4.1.2).',
  'error → redirect URI':
    'The hub sends the browser back to the app, with an error in place of a code (RFC 6749 §4.1.2.1).',
  'redirect URI called': 'The browser brings the app what the hub gave it.',
  'token request': 'The app exchanges the code for tokens (RFC 6749 §4.1.3).',
  'token request with PKCE':
    'The app exchanges the code for tokens, and proves with the verifier that it is the one that asked (RFC 7636 §4.5).',
  'token response': 'The app has its tokens (RFC 6749 §5.1).',
  'refresh request': 'The app exchanges its refresh token for new tokens (RFC 6749 §6).',
  'token exchange request':
    'The app asks for a token of a member of its organization, without asking the member (RFC 8693 §2.1).',
  'device authorization request': 'The device asks for a code for its user (RFC 8628 §3.1).',
  'device authorization response':
    'The device has a code to ask with, a code for its user, and the address to type it at (RFC 8628 §3.2).',
  'user code shown': 'The device shows its user the code and the address (RFC 8628 §3.3).',
  'request for the code page': 'The user opens the address that the device shows.',
  'code page': 'The hub asks the user for the code of the device.',
  'user code typed': 'The user types the code of the device.',
  'request for the consent page': 'The browser opens the consent page.',
  'request for the last page': 'The browser opens the page that says how it ended.',
  'last page': 'The user may go back to the device.',
  'device token request': 'The device asks for its tokens (RFC 8628 §3.4).',
  'userinfo request':
    'The app asks who signed in, with its access token (OpenID Connect Core §5.3.1).',
  'userinfo response': 'The hub says who signed in (OpenID Connect Core §5.3.2).',
  'registration request': 'The app registers itself (RFC 7591 §3.1).',
  'registration response': 'The app has its client id (RFC 7591 §3.2.1).',
  'metadata document request':
    'The id of the app is the address of a document about it, which the hub fetches.',
  'metadata document': 'The document says who the app is, and where it may be sent back to.',
  redirect: 'The hub sends the browser to another of its pages.',
  answer: 'The hub answers.',
  'error response': 'The hub refuses.',
  'error page': 'The hub tells the user, and does not send the browser back to the app.',
} as const satisfies Record<string, string>

export type MessageName = keyof typeof messageNames

/** @param name may name another message, which has no explanation */
export function meaningOf(name: string): string | undefined {
  return Object.hasOwn(messageNames, name) ? messageNames[name as MessageName] : undefined
}
