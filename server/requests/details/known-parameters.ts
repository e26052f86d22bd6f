/** Endpoint that reads the parameters of a request, or the response that contains them. */
export type ParameterPlace =
  | 'authorize'
  | 'code'
  | 'refresh'
  | 'device token'
  | 'exchange'
  | 'device'
  | 'register'
  | 'page'
  | 'answer'

export interface KnownParameter {
  /** Purpose, as a sentence. */
  purpose: string
  source: string
  /** Endpoints that read it; others ignore it. */
  readAt: readonly ParameterPlace[]
}

const token = ['code', 'refresh', 'device token', 'exchange'] as const
const core = 'OpenID Connect Core §3.1.2.1'

/** Parameters that clients send, including those that the hub ignores. */
const known = {
  client_id: {
    purpose: 'Says which app asks.',
    source: 'RFC 6749 §2.2',
    readAt: ['authorize', 'device', 'answer', ...token],
  },
  client_secret: {
    purpose: 'Proves that the app is the one that it says it is.',
    source: 'RFC 6749 §2.3.1',
    readAt: ['device', 'answer', ...token],
  },
  authorization: {
    purpose: 'Proves who asks: the app by its secret, or whoever holds an access token.',
    source: 'RFC 6749 §2.3.1, RFC 6750 §2.1',
    readAt: ['device', 'answer', 'page', 'register', 'authorize', ...token],
  },
  redirect_uri: {
    purpose: 'Where the hub sends the browser with its answer; it must be registered for the app.',
    source: 'RFC 6749 §3.1.2',
    readAt: ['authorize', 'code'],
  },
  response_type: {
    purpose: 'What the app wants back: a code.',
    source: 'RFC 6749 §3.1.1',
    readAt: ['authorize'],
  },
  response_mode: {
    purpose: 'How the answer reaches the app: in the query.',
    source: 'OAuth 2.0 Multiple Response Types §2.1',
    readAt: ['authorize'],
  },
  scope: {
    purpose: 'What the app wants to be allowed.',
    source: 'RFC 6749 §3.3',
    readAt: ['authorize', 'device', 'refresh', 'exchange', 'register', 'answer'],
  },
  state: {
    purpose: 'Comes back as it was sent, so that the app knows its own request.',
    source: 'RFC 6749 §10.12',
    readAt: ['authorize', 'answer'],
  },
  nonce: {
    purpose: 'Comes back in the ID token, which ties that token to this request.',
    source: core,
    readAt: ['authorize', 'page'],
  },
  code_challenge: {
    purpose: 'Hash of the code verifier, which only the app knows.',
    source: 'RFC 7636 §4.3',
    readAt: ['authorize'],
  },
  code_challenge_method: {
    purpose: 'How the challenge is made of the verifier: S256.',
    source: 'RFC 7636 §4.3',
    readAt: ['authorize'],
  },
  code_verifier: {
    purpose: 'Proves that who exchanges the code is who asked for it.',
    source: 'RFC 7636 §4.5',
    readAt: ['code'],
  },
  prompt: {
    purpose: 'Whether the user is to be asked: none, login, consent or select_account.',
    source: core,
    readAt: ['authorize'],
  },
  max_age: {
    purpose: 'How many seconds ago the user may have signed in at most.',
    source: core,
    readAt: ['authorize'],
  },
  id_token_hint: {
    purpose: 'An earlier ID token: only its user is to answer.',
    source: core,
    readAt: ['authorize'],
  },
  login_hint: {
    purpose: 'The account that the login page suggests.',
    source: core,
    readAt: ['authorize'],
  },
  orgIds: {
    purpose: 'Organizations that the app asks for; the consent page has them ticked.',
    source: 'of the hub',
    readAt: ['authorize'],
  },
  signed_in: {
    purpose: 'The sandbox’s own mark of a user who has just come from its login page.',
    source: 'of the sandbox',
    readAt: ['authorize'],
  },
  claims: {
    purpose: 'Asks for single claims. The hub gives those of the scopes.',
    source: 'OpenID Connect Core §5.5',
    readAt: [],
  },
  claims_locales: {
    purpose: 'Languages in which claims are wanted.',
    source: 'OpenID Connect Core §5.2',
    readAt: [],
  },
  display: {
    purpose: 'What kind of page is wanted. The hub has one.',
    source: core,
    readAt: [],
  },
  ui_locales: { purpose: 'Languages in which pages are wanted.', source: core, readAt: [] },
  acr_values: { purpose: 'How surely the user is to be known.', source: core, readAt: [] },
  resource: {
    purpose:
      'The server that the token is for. It is recorded with code and token; the Hub has one kind of token.',
    source: 'RFC 8707 §2',
    readAt: ['authorize', 'device', 'code', 'device token', 'refresh', 'exchange'],
  },
  audience: {
    purpose: 'Who the token is for. The hub has one kind of token.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  request: {
    purpose: 'The request as a signed object, which the hub refuses.',
    source: 'RFC 9101 §5',
    readAt: ['authorize'],
  },
  request_uri: {
    purpose: 'Where the request stands, which the hub refuses.',
    source: 'RFC 9101 §5',
    readAt: ['authorize'],
  },
  registration: {
    purpose: 'What a self-issued client says of itself, which the hub refuses.',
    source: 'OpenID Connect Core §7.2.1',
    readAt: ['authorize'],
  },
  grant_type: {
    purpose: 'What is exchanged for tokens.',
    source: 'RFC 6749 §4.1.3, §6',
    readAt: [...token],
  },
  code: {
    purpose: 'What the app exchanges for tokens; it works once.',
    source: 'RFC 6749 §4.1.2',
    readAt: ['code', 'answer'],
  },
  refresh_token: {
    purpose: 'Exchanged for new tokens without asking the user; each works once.',
    source: 'RFC 6749 §1.5, §6',
    readAt: ['refresh', 'answer'],
  },
  access_token: {
    purpose: 'Opens what the user has allowed.',
    source: 'RFC 6749 §1.4',
    readAt: ['answer', 'page'],
  },
  token_type: {
    purpose: 'How the access token is sent: in a header, as a bearer.',
    source: 'RFC 6750',
    readAt: ['answer'],
  },
  expires_in: {
    purpose: 'Seconds until it is no longer good.',
    source: 'RFC 6749 §5.1, RFC 8628 §3.2',
    readAt: ['answer'],
  },
  id_token: {
    purpose: 'Says to the app who signed in, signed by the hub.',
    source: 'OpenID Connect Core §2',
    readAt: ['answer'],
  },
  issued_token_type: {
    purpose: 'What kind of token the exchange gave.',
    source: 'RFC 8693 §2.2.1',
    readAt: ['answer'],
  },
  error: {
    purpose: 'Why it was refused, in one word.',
    source: 'RFC 6749 §5.2',
    readAt: ['answer'],
  },
  error_description: {
    purpose: 'Why it was refused, for the developer.',
    source: 'RFC 6749 §5.2',
    readAt: ['answer'],
  },
  iss: { purpose: 'Who answers.', source: 'RFC 9207 §2', readAt: ['answer'] },
  device_code: {
    purpose: 'What the device asks with; the user never sees it.',
    source: 'RFC 8628 §3.2, §3.4',
    readAt: ['device token', 'answer'],
  },
  user_code: {
    purpose: 'What the user types.',
    source: 'RFC 8628 §3.2, §6.1',
    readAt: ['page', 'answer'],
  },
  verification_uri: {
    purpose: 'Where the user types it.',
    source: 'RFC 8628 §3.2',
    readAt: ['answer'],
  },
  verification_uri_complete: {
    purpose: 'The same with the code filled in, for a QR code.',
    source: 'RFC 8628 §3.3.1',
    readAt: ['answer'],
  },
  interval: {
    purpose: 'Seconds that the device waits between two polls.',
    source: 'RFC 8628 §3.2',
    readAt: ['answer'],
  },
  subject_token: {
    purpose: 'Whom the token is wanted for: the e-mail address of a member.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  subject_token_type: {
    purpose: 'What the subject token is.',
    source: 'RFC 8693 §2.1, §3',
    readAt: ['exchange'],
  },
  requested_token_type: {
    purpose: 'What kind of token is wanted: an access token.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  actor_token: {
    purpose: 'Who acts for the subject, which the hub refuses.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  actor_token_type: {
    purpose: 'What the actor token is.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  client_assertion: {
    purpose: 'A signed proof of the app. The hub takes secrets only.',
    source: 'RFC 7523 §2.2',
    readAt: [],
  },
  client_assertion_type: {
    purpose: 'What the assertion is. The hub takes secrets only.',
    source: 'RFC 7521 §4.2',
    readAt: [],
  },
  decision: {
    purpose: 'What the user said on the page.',
    source: 'of the sandbox',
    readAt: ['authorize', 'page'],
  },
  organization: {
    purpose: 'An organization that the user ticked.',
    source: 'of the hub',
    readAt: ['authorize', 'page'],
  },
  user: { purpose: 'Who signs in.', source: 'of the sandbox', readAt: ['page'] },
  password: { purpose: 'The user’s password.', source: 'of the sandbox', readAt: ['page'] },
  next: {
    purpose: 'Where the browser goes after the login page.',
    source: 'of the sandbox',
    readAt: ['page'],
  },
  checked: {
    purpose: 'The sandbox’s own mark that the user typed the code.',
    source: 'of the sandbox',
    readAt: ['page'],
  },
  client_name: {
    purpose: 'What users see.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  redirect_uris: {
    purpose: 'Where the app may be sent back to.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  token_endpoint_auth_method: {
    purpose: 'How the app proves who it is.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  grant_types: {
    purpose: 'Grants that the app uses. The hub decides them.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  response_types: {
    purpose: 'Response types that the app uses. The hub decides them.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  client_uri: {
    purpose: 'Home page of the app, linked on the consent page.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  logo_uri: {
    purpose: 'Picture of the app.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  policy_uri: {
    purpose: 'Privacy policy of the app. The hub ignores it at registration.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  tos_uri: {
    purpose: 'Terms of service of the app. The hub ignores them at registration.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  software_id: {
    purpose: 'Names the program, whoever runs it.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  software_version: {
    purpose: 'Version of the program.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  client_id_issued_at: {
    purpose: 'When the app was registered, in seconds since 1970.',
    source: 'RFC 7591 §3.2.1',
    readAt: ['answer'],
  },
  client_secret_expires_at: {
    purpose: 'When the secret ends; 0 = never.',
    source: 'RFC 7591 §3.2.1',
    readAt: ['answer'],
  },
} as const satisfies Record<string, KnownParameter>

export function knownParameter(name: string): KnownParameter | undefined {
  return Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined
}
