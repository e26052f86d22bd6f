interface KnownClaim {
  meaning: string
  source: string
}

const core = 'OpenID Connect Core §2'
const standard = 'OpenID Connect Core §5.1'

/** Claims of ID tokens and userinfo responses, and header members of a JWT. */
const known = {
  iss: { meaning: 'Who made the token.', source: core },
  sub: { meaning: 'Who signed in: the id of the user.', source: core },
  aud: { meaning: 'The app that the token is for.', source: core },
  exp: { meaning: 'When the token ends, counted from iat.', source: core },
  iat: { meaning: 'When the token was made; never later than real time.', source: core },
  auth_time: { meaning: 'When the user signed in; never later than iat.', source: core },
  nonce: { meaning: 'The nonce of the authorization request.', source: core },
  at_hash: {
    meaning: 'Hash of the access token that came with it.',
    source: 'OpenID Connect Core §3.1.3.6',
  },
  name: { meaning: 'Full name.', source: standard },
  preferred_username: { meaning: 'Username.', source: standard },
  profile: { meaning: 'Page of the user.', source: standard },
  picture: { meaning: 'Picture of the user.', source: standard },
  website: { meaning: 'Website of the user.', source: standard },
  email: { meaning: 'E-mail address.', source: standard },
  email_verified: { meaning: 'Whether the address was proved to be the user’s.', source: standard },
  isPro: { meaning: 'Whether the user has a PRO subscription.', source: 'of the hub' },
  canPay: { meaning: 'Whether a payment method is set up.', source: 'of the hub' },
  billingMode: { meaning: 'How the account is billed.', source: 'of the hub' },
  orgs: { meaning: 'Organizations that the app may know of.', source: 'of the hub' },
  organizations: { meaning: 'The same list by its documented name.', source: 'of the hub' },
  alg: { meaning: 'How it is signed.', source: 'RFC 7515 §4.1.1' },
  kid: { meaning: 'Which key signed it.', source: 'RFC 7515 §4.1.4' },
  typ: { meaning: 'What it is.', source: 'RFC 7515 §4.1.9' },
} as const satisfies Record<string, KnownClaim>

export function knownClaim(name: string): KnownClaim | undefined {
  return Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined
}
