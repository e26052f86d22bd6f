import { idTokenType } from '../../contract/words/ci-words.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../contract/words/oauth-words.ts'

/*
 * Checks of each endpoint, first to last. A request with several mistakes gets the error of the first one, so the order is
 * part of the wire format, and a caller learns nothing beyond the check that fails. Each endpoint makes its calls in this
 * order.
 *
 *   form                   the request is well-formed: each parameter once, required ones present
 *   credentials            the client's claimed identity
 *   client                 the client exists
 *   redirect URI           it is registered; later errors are redirected to the client
 *   client authentication  the secret is right, or the client is public and sends none
 *   policy                 this kind of client may use the grant with this authentication
 *   parameters             parameters that the grant requires
 *   grant                  code, token or subject: exists, belongs to the client, is still valid
 *   scope                  within what the client may request
 *   tokens, audit, …       the effects
 *
 * `page` checks run first, in the page route: redirect to the login page without a session, and refuse foreign forms.
 */
const signIn = {
  target: ['form', 'client', 'redirect URI'],
  request: ['form', 'policy', 'user', 'scope', 'prompt'],
} as const

const userinfo = ['form', 'access token', 'claims'] as const

export const checks = {
  'GET /oauth/authorize': signIn,
  'POST /oauth/authorize': signIn,
  'POST /oauth/token': {
    every: ['form', 'grant type', 'credentials', 'client', 'client authentication', 'policy'],
    authorization_code: ['parameters', 'grant', 'tokens'],
    refresh_token: ['parameters', 'grant', 'scope', 'tokens'],
    [deviceCodeGrant]: ['parameters', 'grant', 'tokens'],
    [tokenExchangeGrant]: ['policy', 'parameters', 'grant', 'scope', 'tokens', 'audit'],
    // Without a client: the ID token of a CI job instead of `every`.
    [idTokenType]: [
      'parameters',
      'grant',
      'issuer',
      'signature',
      'time',
      'audience',
      'claims',
      'replay',
      'tokens',
      'audit',
    ],
  },
  'POST /oauth/device': [
    'form',
    'credentials',
    'client',
    'client authentication',
    'policy',
    'scope',
    'codes',
  ],
  'GET /oauth/userinfo': userinfo,
  'POST /oauth/userinfo': userinfo,
  // Never refused: metadata, keys, and pages that redirect to the sign-in or the device page.
  'GET /.well-known/oauth-authorization-server': [],
  'GET /.well-known/openid-configuration': [],
  'GET /.well-known/oauth-protected-resource': [],
  'GET /.well-known/oauth-protected-resource/mcp': [],
  'GET /oauth/jwks': [],
  'GET /oauth/device': [],
  'GET /oauth/device/done': [],
  'GET /oauth/device/verify': { page: ['session', 'code typed'], question: ['grant', 'client'] },
  'POST /oauth/device/verify': {
    page: ['session', 'own form'],
    code: ['attempts', 'grant', 'decision'],
    answer: ['client', 'policy'],
  },
  'POST /oauth/register': [
    'form',
    'redirect URI',
    'client authentication',
    'scope',
    'description',
    'app',
  ],
  // Token endpoints of the Hub's API, for finders of leaked tokens and for administrators.
  'POST /api/credentials/revoke': ['form', 'grant'],
  'POST /api/organizations/{name}/settings/tokens/revoke': [
    'organization',
    'rights',
    'form',
    'policy',
    'grant',
    'audit',
  ],
  'GET /api/organizations/{name}/audit-log/export': ['organization', 'rights', 'form', 'audit'],
} as const
