/** Texts of a presented sign-in, in the order of its files. */
export const words = {
  // Presentation
  present: 'Presentation',

  // Controls
  speakerNotes: 'Speaker notes',
} as const

/** Talking points for a step, by its name. */
export const talkingPoints: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'authorization request':
      'The app has not talked to the Hub yet. Everything it asks for is in this URL, so the user can read it. Point at code_challenge: the secret behind it stays in the app.',
    'redirect to the login page':
      'The app never sees a password. Signing in is between the user and the Hub.',
    'login page': 'Ask the room: whose page is this? The host name in the browser is the answer.',
    'sign-in form':
      'The Hub starts a session with a cookie of its own. The app gets no part of it.',
    'consent page':
      'The user sees the scopes by name and may refuse. A good app asks for as few as it needs.',
    'user approves': 'Only now does the Hub create a code.',
    'user denies':
      'Denying is a normal outcome. The app receives access_denied and must handle it.',
    'code → redirect URI':
      'The code travels through the browser, where history and logs can see it. That is why it works once, for a minute, and only with the verifier.',
    'error → redirect URI': 'An app must check error before code, and state before both.',
    'redirect URI called':
      'The app compares state with its own. A different one means a forged link.',
    'token request':
      'From here on the browser is out of the picture. The app talks to the Hub directly.',
    'token request with PKCE':
      'The verifier appears for the first time. The Hub hashes it and compares. A stolen code alone is worthless.',
    'token response':
      'Three tokens, three purposes: the ID token tells the app who signed in, the access token opens the API, the refresh token gets new ones.',
    'refresh request':
      'No user takes part. The Hub may replace the refresh token: the app must store the newest one.',
    'token exchange request':
      'No user takes part and none consents. The organization vouches for its member, so the token reaches only what belongs to the organization.',
    'device authorization request':
      'A command line or a television has no browser to redirect. It asks for a code instead.',
    'device authorization response':
      'Two codes: the long one is the secret of the device, the short one is for the user.',
    'user code shown':
      'Invite the room to scan the code. A user should only enter a code that they asked for.',
    'user enters code': 'The user is on another device, signed in to their own browser.',
    'device token request':
      'The device asks again and again, no faster than the interval allows. slow_down means: five seconds more.',
    'userinfo request': 'The access token is all that the Hub checks here.',
    'userinfo response': 'sub never changes, a username can: apps store sub.',
    'error response':
      'error is for programs, error_description for the developer who reads the log.',
    'error page':
      'The Hub does not redirect here. Sending an error to an unchecked URI would make it an open redirector.',
  }),
)
