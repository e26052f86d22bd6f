import { deviceCodeGrant, tokenExchangeGrant } from '../contract/words/oauth.ts'

/*
 * What each endpoint checks, first to last. A request with several faults is told the first of them, so the order is
 * part of the wire, and nothing is told to whom an earlier step would have refused. Endpoints run the steps in the order
 * of their row: {@link inOrder} takes no step that is not the next one here.
 *
 *   form                   the request can be read: each parameter once, and those that are always needed
 *   credentials            who the client says it is
 *   client                 there is such a client
 *   redirect URI           it may be sent there; what is refused from here on is told to the client
 *   client authentication  it has proved who it is, with its secret or by having none
 *   policy                 this kind of client may do this, in this way
 *   parameters             what the grant itself needs in the form
 *   grant                  code, token, subject: it is there, is the client's, and still counts
 *   scope                  no more than the client may have
 *   tokens, audit, …       what is done then
 *
 * What stands under `page` is about the browser and looked at before by the page itself, which leads away who is not
 * signed in and refuses forms that are not its own.
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
  // Nothing to refuse: metadata, keys, and pages that lead to the sign-in or to where a code is typed.
  'GET /.well-known/oauth-authorization-server': [],
  'GET /.well-known/openid-configuration': [],
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
  // What the hub's API has of tokens, for their finders and for administrators.
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
