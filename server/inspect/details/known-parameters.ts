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
    purpose: 'Client ID of the app.',
    source: 'RFC 6749 §2.2',
    readAt: ['authorize', 'device', 'answer', ...token],
  },
  client_secret: {
    purpose: 'Authenticates the app.',
    source: 'RFC 6749 §2.3.1',
    readAt: ['device', 'answer', ...token],
  },
  authorization: {
    purpose: 'Authenticates the caller by client secret or access token.',
    source: 'RFC 6749 §2.3.1, RFC 6750 §2.1',
    readAt: ['device', 'answer', 'page', 'register', 'authorize', ...token],
  },
  redirect_uri: {
    purpose: 'Redirect URI for the response; it must be registered for the app.',
    source: 'RFC 6749 §3.1.2',
    readAt: ['authorize', 'code'],
  },
  response_type: {
    purpose: 'Requested response: a code.',
    source: 'RFC 6749 §3.1.1',
    readAt: ['authorize'],
  },
  response_mode: {
    purpose: 'Transport of the response: the query.',
    source: 'OAuth 2.0 Multiple Response Types §2.1',
    readAt: ['authorize'],
  },
  scope: {
    purpose: 'Requested scopes.',
    source: 'RFC 6749 §3.3',
    readAt: ['authorize', 'device', 'refresh', 'exchange', 'register', 'answer'],
  },
  state: {
    purpose: 'Returned unchanged, so that the app can match its request.',
    source: 'RFC 6749 §10.12',
    readAt: ['authorize', 'answer'],
  },
  nonce: {
    purpose: 'Returned in the ID token, which binds it to this request.',
    source: core,
    readAt: ['authorize', 'page'],
  },
  code_challenge: {
    purpose: 'Hash of the code verifier, which only the app knows.',
    source: 'RFC 7636 §4.3',
    readAt: ['authorize'],
  },
  code_challenge_method: {
    purpose: 'Method of the challenge: S256.',
    source: 'RFC 7636 §4.3',
    readAt: ['authorize'],
  },
  code_verifier: {
    purpose: 'Proves that the client that exchanges the code requested it.',
    source: 'RFC 7636 §4.5',
    readAt: ['code'],
  },
  prompt: {
    purpose: 'Prompt for the user: none, login, consent or select_account.',
    source: core,
    readAt: ['authorize'],
  },
  max_age: {
    purpose: 'Maximum age of the sign-in in seconds.',
    source: core,
    readAt: ['authorize'],
  },
  id_token_hint: {
    purpose: 'Earlier ID token: only its user may sign in.',
    source: core,
    readAt: ['authorize'],
  },
  login_hint: {
    purpose: 'The account that the login page suggests.',
    source: core,
    readAt: ['authorize'],
  },
  orgIds: {
    purpose: 'Requested organizations, preselected on the consent page.',
    source: 'of the Hub',
    readAt: ['authorize'],
  },
  signed_in: {
    purpose: 'Sandbox marker: the user has just signed in.',
    source: 'of the sandbox',
    readAt: ['authorize'],
  },
  claims: {
    purpose: 'Requests single claims. The Hub returns those of the scopes.',
    source: 'OpenID Connect Core §5.5',
    readAt: [],
  },
  claims_locales: {
    purpose: 'Preferred languages of claims.',
    source: 'OpenID Connect Core §5.2',
    readAt: [],
  },
  display: {
    purpose: 'Requested kind of page. The Hub has one.',
    source: core,
    readAt: [],
  },
  ui_locales: { purpose: 'Preferred languages of pages.', source: core, readAt: [] },
  acr_values: { purpose: 'Requested authentication context classes.', source: core, readAt: [] },
  resource: {
    purpose:
      'Resource that the token is for. Recorded with code and token; the Hub has one kind of token.',
    source: 'RFC 8707 §2',
    readAt: ['authorize', 'device', 'code', 'device token', 'refresh', 'exchange'],
  },
  audience: {
    purpose: 'Audience of the token. The Hub has one kind of token.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  request: {
    purpose: 'Request as a signed object, which the Hub refuses.',
    source: 'RFC 9101 §5',
    readAt: ['authorize'],
  },
  request_uri: {
    purpose: 'URL of the request object, which the Hub refuses.',
    source: 'RFC 9101 §5',
    readAt: ['authorize'],
  },
  registration: {
    purpose: 'Metadata of a self-issued client, which the Hub refuses.',
    source: 'OpenID Connect Core §7.2.1',
    readAt: ['authorize'],
  },
  grant_type: {
    purpose: 'Kind of grant.',
    source: 'RFC 6749 §4.1.3, §6',
    readAt: [...token],
  },
  code: {
    purpose: 'Authorization code; it works once.',
    source: 'RFC 6749 §4.1.2',
    readAt: ['code', 'answer'],
  },
  refresh_token: {
    purpose: 'Exchanged for new tokens without user interaction; each works once.',
    source: 'RFC 6749 §1.5, §6',
    readAt: ['refresh', 'answer'],
  },
  access_token: {
    purpose: 'Grants access to what the user authorized.',
    source: 'RFC 6749 §1.4',
    readAt: ['answer', 'page'],
  },
  token_type: {
    purpose: 'Type of the access token: Bearer.',
    source: 'RFC 6750',
    readAt: ['answer'],
  },
  expires_in: {
    purpose: 'Lifetime in seconds.',
    source: 'RFC 6749 §5.1, RFC 8628 §3.2',
    readAt: ['answer'],
  },
  id_token: {
    purpose: 'Identifies the user to the app, signed by the Hub.',
    source: 'OpenID Connect Core §2',
    readAt: ['answer'],
  },
  issued_token_type: {
    purpose: 'Type of the issued token.',
    source: 'RFC 8693 §2.2.1',
    readAt: ['answer'],
  },
  error: {
    purpose: 'Error code.',
    source: 'RFC 6749 §5.2',
    readAt: ['answer'],
  },
  error_description: {
    purpose: 'Error description for the developer.',
    source: 'RFC 6749 §5.2',
    readAt: ['answer'],
  },
  iss: { purpose: 'Who answers.', source: 'RFC 9207 §2', readAt: ['answer'] },
  device_code: {
    purpose: 'Code that the device polls with; the user never sees it.',
    source: 'RFC 8628 §3.2, §3.4',
    readAt: ['device token', 'answer'],
  },
  user_code: {
    purpose: 'Code that the user enters.',
    source: 'RFC 8628 §3.2, §6.1',
    readAt: ['page', 'answer'],
  },
  verification_uri: {
    purpose: 'URL to enter the code at.',
    source: 'RFC 8628 §3.2',
    readAt: ['answer'],
  },
  verification_uri_complete: {
    purpose: 'The same URL with the code, for a QR code.',
    source: 'RFC 8628 §3.3.1',
    readAt: ['answer'],
  },
  interval: {
    purpose: 'Minimum seconds between two polls.',
    source: 'RFC 8628 §3.2',
    readAt: ['answer'],
  },
  subject_token: {
    purpose: 'Subject: the email address of a member.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  subject_token_type: {
    purpose: 'Type of the subject token.',
    source: 'RFC 8693 §2.1, §3',
    readAt: ['exchange'],
  },
  requested_token_type: {
    purpose: 'Requested token type: an access token.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  actor_token: {
    purpose: 'Actor for the subject, which the Hub refuses.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  actor_token_type: {
    purpose: 'Type of the actor token.',
    source: 'RFC 8693 §2.1',
    readAt: ['exchange'],
  },
  client_assertion: {
    purpose: 'Signed client assertion. The Hub accepts secrets only.',
    source: 'RFC 7523 §2.2',
    readAt: [],
  },
  client_assertion_type: {
    purpose: 'Type of the assertion. The Hub accepts secrets only.',
    source: 'RFC 7521 §4.2',
    readAt: [],
  },
  decision: {
    purpose: 'Decision of the user.',
    source: 'of the sandbox',
    readAt: ['authorize', 'page'],
  },
  organization: {
    purpose: 'Organization selected by the user.',
    source: 'of the Hub',
    readAt: ['authorize', 'page'],
  },
  user: { purpose: 'User who signs in.', source: 'of the sandbox', readAt: ['page'] },
  password: { purpose: 'The user’s password.', source: 'of the sandbox', readAt: ['page'] },
  next: {
    purpose: 'Page to open after the sign-in.',
    source: 'of the sandbox',
    readAt: ['page'],
  },
  checked: {
    purpose: 'Sandbox marker: the user entered the code.',
    source: 'of the sandbox',
    readAt: ['page'],
  },
  client_name: {
    purpose: 'Name shown to users.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  redirect_uris: {
    purpose: 'Redirect URIs.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  token_endpoint_auth_method: {
    purpose: 'Client authentication method.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  grant_types: {
    purpose: 'Grant types of the app. The Hub decides them.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  response_types: {
    purpose: 'Response types of the app. The Hub decides them.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  client_uri: {
    purpose: 'Home page of the app, linked on the consent page.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  logo_uri: {
    purpose: 'Logo of the app.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  policy_uri: {
    purpose: 'Privacy policy of the app. The Hub ignores it at registration.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  tos_uri: {
    purpose: 'Terms of service of the app. The Hub ignores them at registration.',
    source: 'RFC 7591 §2',
    readAt: ['answer'],
  },
  software_id: {
    purpose: 'Identifies the software.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  software_version: {
    purpose: 'Version of the software.',
    source: 'RFC 7591 §2',
    readAt: ['register', 'answer'],
  },
  client_id_issued_at: {
    purpose: 'Time of registration, in seconds since 1970.',
    source: 'RFC 7591 §3.2.1',
    readAt: ['answer'],
  },
  client_secret_expires_at: {
    purpose: 'Expiry of the secret; 0 = never.',
    source: 'RFC 7591 §3.2.1',
    readAt: ['answer'],
  },
} as const satisfies Record<string, KnownParameter>

export function knownParameter(name: string): KnownParameter | undefined {
  return Object.hasOwn(known, name) ? known[name as keyof typeof known] : undefined
}
