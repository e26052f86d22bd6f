interface KnownClaim {
  meaning: string
  source: string
}

const core = 'OpenID Connect Core §2'
const standard = 'OpenID Connect Core §5.1'

/** Claims of ID tokens and userinfo responses, and header members of a JWT. */
const known = {
  iss: { meaning: 'Issuer.', source: core },
  sub: { meaning: 'Subject: the id of the user.', source: core },
  aud: { meaning: 'Audience: must contain the client ID of the app.', source: core },
  exp: { meaning: 'Expiry time.', source: core },
  iat: { meaning: 'Time of issue.', source: core },
  auth_time: { meaning: 'Time of the sign-in.', source: core },
  nonce: { meaning: 'Must equal the nonce of the authorization request.', source: core },
  at_hash: {
    meaning: 'Must be the hash of the access token that came with it.',
    source: 'OpenID Connect Core §3.1.3.6',
  },
  name: { meaning: 'Full name.', source: standard },
  preferred_username: { meaning: 'Username.', source: standard },
  profile: { meaning: 'Profile page.', source: standard },
  picture: { meaning: 'Picture.', source: standard },
  website: { meaning: 'Website.', source: standard },
  email: { meaning: 'Email address.', source: standard },
  email_verified: { meaning: 'The email address is verified.', source: standard },
  isPro: { meaning: 'The user has a PRO subscription.', source: 'of the Hub' },
  canPay: { meaning: 'The user has a payment method.', source: 'of the Hub' },
  billingMode: { meaning: 'Billing mode of the account.', source: 'of the Hub' },
  orgs: { meaning: 'Organizations visible to the app.', source: 'of the Hub' },
  organizations: { meaning: 'The same list by its documented name.', source: 'of the Hub' },
  alg: { meaning: 'Signature algorithm.', source: 'RFC 7515 §4.1.1' },
  kid: { meaning: 'Signing key.', source: 'RFC 7515 §4.1.4' },
  typ: { meaning: 'Token type.', source: 'RFC 7515 §4.1.9' },
} as const satisfies Record<string, KnownClaim>

export function knownClaim(name: string): KnownClaim | undefined {
  return Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined
}
