import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'
import { openBrowser } from '../helpers/browser.ts'
import {
  basic,
  expectOAuthError,
  type Parameters,
  pkce,
  redirectUri,
  verifier,
} from '../helpers/oauth-client.ts'

// What the plans "Basic OP", "Config OP" and "Dynamic OP" of the OpenID Foundation's conformance suite ask of a provider,
// module by module, in their order. Their client has a secret and sends no PKCE unless a module is about it; that of
// "Dynamic OP" registers itself, without `scope`.

const world = testApp({ strict: true })
const { client } = world
let browser: ReturnType<typeof openBrowser>
beforeEach(() => {
  browser = openBrowser(world.server)
})

type Answer = Awaited<ReturnType<typeof browser.get>>

const request = (change: Parameters = {}): Parameters => ({
  client_id: world.apps.confidential.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid',
  state: 'a state',
  nonce: 'a nonce',
  ...change,
})
const addressOf = (change: Parameters = {}) => client.authorizeUrl(request(change))

/** Checks that the browser was sent to the client, from this very issuer (RFC 9207 §2.4). */
function returned(answer: Answer): Record<string, string> {
  expect(answer.statusCode).toBe(303)
  const location = new URL(answer.headers.location!)
  expect(location.href.split('?')[0]).toBe(redirectUri)
  const parameters = Object.fromEntries(location.searchParams)
  expect(parameters).toMatchObject({ iss: 'http://localhost:7420', state: 'a state' })
  return parameters
}

function returnedError(answer: Answer): string | undefined {
  const parameters = returned(answer)
  expect(parameters).not.toHaveProperty('code')
  return parameters['error']
}

/** Error of a request that is sent back to the client. */
const errorOf = async (change: Parameters) => returnedError(await browser.get(addressOf(change)))

const redeem = (
  code: string | undefined,
  form: Parameters = {},
  headers?: Record<string, string>,
) =>
  client.token(
    { grant_type: 'authorization_code', redirect_uri: redirectUri, code, ...form },
    headers ?? basic(world.apps.confidential, world.clientSecret),
  )

interface Tokens {
  access_token: string
  id_token: string
  refresh_token: string
}

async function checkIdToken(idToken: string): Promise<JWTPayload> {
  const keys = (await client.get('/oauth/jwks')).json<JSONWebKeySet>()
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), {
    issuer: 'http://localhost:7420',
    audience: world.apps.confidential.id,
    algorithms: ['RS256'],
    requiredClaims: ['sub', 'exp', 'iat', 'auth_time'],
    currentDate: new Date(world.clock.now()),
  })
  return payload
}

/** The whole flow. */
async function signIn(change: Parameters = {}, user = 'alice') {
  const { code } = returned(await browser.visit(user, addressOf(change)))
  const answer = await redeem(code)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  const tokens = answer.json<Tokens>()
  return { tokens, claims: await checkIdToken(tokens.id_token) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('Config OP: the metadata (OpenID Connect Discovery §3)', () => {
  test('has the required members, and denies what a client would assume by default', async () => {
    const answer = await client.get('/.well-known/openid-configuration')
    const metadata = answer.json<Record<string, unknown>>()
    expect(metadata).toMatchObject({
      issuer: 'http://localhost:7420',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: expect.arrayContaining(['openid', 'profile', 'email']),
      claims_supported: expect.arrayContaining(['sub', 'iss', 'auth_time', 'name', 'email']),
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      authorization_response_iss_parameter_supported: true,
    })
    const addresses = Object.keys(metadata).filter((name) => /_endpoint$|_uri$/.test(name))
    expect(addresses).toHaveLength(6)
    for (const name of addresses) {
      expect(metadata[name]).toMatch(/^http:\/\/localhost:7420\/oauth\//)
    }
    expect(metadata['scopes_supported']).not.toContain('read-mcp')
  })

  test('claims_supported has every claim of an ID token', async () => {
    const metadata = (await client.get('/.well-known/openid-configuration')).json<{
      claims_supported: string[]
    }>()
    const { claims } = await signIn({ scope: 'openid profile email' })
    expect(metadata.claims_supported.toSorted()).toEqual(Object.keys(claims).toSorted())
  })

  test('oauth-authorization-server has the same metadata (RFC 8414)', async () => {
    const [one, other] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map((name) =>
        client.get(`/.well-known/${name}`),
      ),
    )
    expect(other!.json()).toEqual(one!.json())
  })

  test('jwks_uri has public RSA keys for signatures, each with its own kid', async () => {
    await world.deps.keys.rotate()
    const { keys } = (await client.get('/oauth/jwks')).json<JSONWebKeySet>()
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
      expect(key).not.toHaveProperty('d')
    }
  })
})

describe('Basic OP: responses and ID token', () => {
  test('oidcc-server: code, ID token with nonce, userinfo of the same subject', async () => {
    const { tokens, claims } = await signIn()
    expect(claims).toMatchObject({ nonce: 'a nonce', sub: world.users.alice.id })
    const userinfo = await client.get('/oauth/userinfo', bearer(tokens.access_token))
    expect(userinfo.json()).toMatchObject({ sub: claims.sub })
  })

  test('oidcc-response-type-missing: an error', async () => {
    expect(await errorOf({ response_type: undefined })).toBe('invalid_request')
  })

  test('oidcc-idtoken-signature: RS256 by a published key', async () => {
    const { tokens } = await signIn()
    const [header = ''] = tokens.id_token.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({
      alg: 'RS256',
      kid: (await world.deps.keys.published())[0]?.kid,
    })
  })

  test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    expect((await signIn({ nonce: undefined })).claims).not.toHaveProperty('nonce')
  })

  test('oidcc-userinfo-get, -post-header, -post-body: the same claims', async () => {
    const { tokens } = await signIn({ scope: 'openid email' })
    const { access_token: token } = tokens
    const answers = [
      await client.get('/oauth/userinfo', bearer(token)),
      await client.postForm('/oauth/userinfo', '', bearer(token)),
      await client.postForm('/oauth/userinfo', { access_token: token }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual(answers[0]!.json())
      expect(answer.json()).toMatchObject({ sub: world.users.alice.id, email: 'alice@example.com' })
    }
  })

  test.each([
    ['openid profile', ['name', 'preferred_username', 'profile', 'picture']],
    ['openid email', ['email', 'email_verified']],
    ['openid profile email', ['name', 'email']],
    ['email profile openid', ['name', 'email']],
  ])('oidcc-scope-*, oidcc-ensure-other-scope-order-succeeds: %s', async (scope, claims) => {
    const { tokens } = await signIn({ scope })
    const userinfo = await client.get('/oauth/userinfo', bearer(tokens.access_token))
    for (const claim of claims) expect(userinfo.json()).toHaveProperty(claim)
  })

  test.each(['openid address', 'openid phone', 'openid offline_access', 'openid everything'])(
    'oidcc-scope-address, -phone, oidcc-refresh-token: unknown scopes are ignored (OpenID Connect Core §3.1.2.1): %s',
    async (scope) => {
      const { tokens } = await signIn({ scope })
      expect(tokens).toMatchObject({ scope: 'openid' })
      const device = { client_id: world.apps.public.id, scope }
      expect((await client.postForm('/oauth/device', device)).statusCode).toBe(200)
    },
  )

  test('a known scope that the app is not configured with is refused', async () => {
    const scope = 'openid jobs'
    expect(await errorOf({ scope })).toBe('invalid_scope')
    const device = { client_id: world.apps.public.id, scope }
    expectOAuthError(await client.postForm('/oauth/device', device), 400, 'invalid_scope')
  })

  test.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
    ['oidcc-login-hint', { login_hint: 'bob' }],
  ])('%s', async (_module, change) => {
    expect((await signIn(change)).claims.sub).toBe(world.users.alice.id)
  })
})

describe('Basic OP: prompt and max_age (OpenID Connect Core §3.1.2.1)', () => {
  test('oidcc-prompt-login: the user signs in again, and auth_time changes', async () => {
    const first = await signIn()
    world.elapse(5000)
    const second = await signIn({ prompt: 'login' })
    expect(browser.asked.filter((title) => title === 'Sign in')).toHaveLength(2)
    expect(second.claims['auth_time']).toBe(Number(first.claims['auth_time']) + 5)
  })

  test('oidcc-prompt-none-not-logged-in: login_required', async () => {
    expect(await errorOf({ prompt: 'none' })).toBe('login_required')
  })

  test('oidcc-prompt-none-logged-in: a code for the same sign-in, without a page', async () => {
    const first = await signIn()
    const pages = browser.asked.length
    world.elapse(5000)
    const second = await signIn({ prompt: 'none' })
    expect(browser.asked).toHaveLength(pages)
    expect(second.claims['auth_time']).toBe(first.claims['auth_time'])
  })

  test('oidcc-max-age-1: the user signs in again after that time', async () => {
    const first = await signIn()
    world.elapse(1000)
    const still = await signIn({ max_age: '1' })
    expect(still.claims['auth_time']).toBe(first.claims['auth_time'])
    world.elapse(1)
    expect(await errorOf({ max_age: '1', prompt: 'none' })).toBe('login_required')
    world.elapse(999)
    const second = await signIn({ max_age: '1' })
    expect(second.claims['auth_time']).toBe(Number(first.claims['auth_time']) + 2)
    expect(browser.asked.filter((title) => title === 'Sign in')).toHaveLength(2)
  })

  test('oidcc-max-age-10000: a recent sign-in is reused', async () => {
    const first = await signIn()
    world.elapse(9_000_000)
    const second = await signIn({ max_age: '10000' })
    expect(second.claims['auth_time']).toBe(first.claims['auth_time'])
  })

  test('max_age=0 asks for a sign-in each time', async () => {
    await signIn()
    world.elapse(1000)
    await signIn({ max_age: '0' })
    // Within the same moment, too: tests stop the clock.
    await signIn({ max_age: '0' })
    expect(browser.asked.filter((title) => title === 'Sign in')).toHaveLength(3)
  })

  test.each(['-1', '1.5', 'soon', '1e3', '99999999999999999999'])(
    'refuses max_age=%s',
    async (age) => {
      expect(await errorOf({ max_age: age })).toBe('invalid_request')
    },
  )
})

describe('Basic OP: id_token_hint', () => {
  const hintOf = async (user: string) => (await signIn({}, user)).tokens.id_token

  test('oidcc-id-token-hint: a code for the signed-in user, even after the hint has expired', async () => {
    const hint = await hintOf('alice')
    world.elapse(2 * 3_600_000)
    const { claims } = await signIn({ prompt: 'none', id_token_hint: hint })
    expect(claims.sub).toBe(world.users.alice.id)
  })

  test('a hint of another user: login_required with prompt=none, else the login page until that user signs in', async () => {
    const hint = await hintOf('alice')
    const other = openBrowser(world.server)
    await other.visit('bob', addressOf())
    const hinted = { id_token_hint: hint }
    const silent = await other.get(addressOf({ ...hinted, prompt: 'none' }))
    expect(returnedError(silent)).toBe('login_required')

    const page = await other.get(addressOf(hinted))
    expect(page.body).toContain('asks for <strong>alice</strong>')
    const asBob = await other.post('/login', { user: 'bob', next: addressOf(hinted) })
    expect(asBob.body).toContain('asks for <strong>alice</strong>')
    const { code } = returned(await other.answerAs('alice', asBob))
    expect(world.state.codes.get(code!)).toMatchObject({ userId: world.users.alice.id })
  })

  test('a hint never gives a code for another user, whoever answers', async () => {
    const hint = await hintOf('alice')
    const url = addressOf({ id_token_hint: hint })
    const issued = world.state.codes.size
    const posted = await client.postForm(url, '', await client.signIn('bob'))
    expect(returnedError(posted)).toBe('login_required')
    expect(world.state.codes.size).toBe(issued)
  })

  test('a hint of a deleted user is refused', async () => {
    const hint = await hintOf('alice')
    world.state.users.delete(world.users.alice.id)
    expect(await errorOf({ id_token_hint: hint })).toBe('login_required')
  })

  test('a hint that the sandbox did not sign is refused', async () => {
    const hint = await hintOf('alice')
    const [header = '', payload = '', signature = ''] = hint.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: world.users.bob.id }))
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const hints = [
      `${header}.${forged.toString('base64url')}.${signature}`,
      `${none}.${payload}.`,
      'no.token',
      'x',
    ]
    for (const bad of hints) {
      expect(await errorOf({ id_token_hint: bad })).toBe('invalid_request')
    }
    await world.deps.keys.rotate(false)
    expect(await errorOf({ id_token_hint: hint })).toBe('invalid_request')
  })
})

describe('Basic OP: the code', () => {
  test('oidcc-codereuse, -30seconds: the second use is refused and revokes the tokens of the first', async () => {
    const { code } = returned(await browser.visit('alice', addressOf()))
    const tokens = (await redeem(code)).json<Tokens>()
    world.elapse(30_000)
    expectOAuthError(await redeem(code), 400, 'invalid_grant')
    const userinfo = await client.get('/oauth/userinfo', bearer(tokens.access_token))
    expect(userinfo.statusCode).toBe(401)
  })

  test('oidcc-ensure-registered-redirect-uri: stays on a page of the provider', async () => {
    const answer = await browser.get(addressOf({ redirect_uri: 'https://elsewhere.example/' }))
    expect(answer.statusCode).toBe(400)
    expect(answer.headers.location).toBeUndefined()
  })

  test('oidcc-ensure-post-request-succeeds: a POST request asks the user like GET', async () => {
    const asked = await browser.post('/oauth/authorize', request())
    expect(asked.body).toContain('Sign in to go on to <bdi>App with a secret</bdi>')
    const { code } = returned(await browser.answerAs('alice', asked))
    const { id_token: idToken } = (await redeem(code)).json<Tokens>()
    expect(await checkIdToken(idToken)).toMatchObject({ nonce: 'a nonce' })
  })

  test.each(['https://elsewhere.example', 'null'])(
    'a POST request may come from a page of %s, whose decisions are still refused',
    async (origin) => {
      const headers = { origin, 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' }
      const asked = await client.postForm('/oauth/authorize', request(), headers)
      expect(asked.statusCode).toBe(303)
      expect(asked.headers.location).toMatch(/^\/oauth\/authorize\?client_id=/)
      expect(asked.headers).not.toHaveProperty('access-control-allow-origin')
      const session = await client.signIn('alice')
      const answer = { decision: 'approve' }
      const posted = await client.postForm(addressOf(), answer, { ...headers, ...session })
      expect(posted.statusCode).toBe(403)
      const background = { ...headers, 'sec-fetch-dest': 'empty' }
      const fetched = await client.postForm('/oauth/authorize', request(), background)
      expect(fetched.statusCode).toBe(403)
    },
  )

  test('oidcc-server-client-secret-post', async () => {
    const { code } = returned(await browser.visit('alice', addressOf()))
    const secret = {
      client_id: world.apps.confidential.id,
      client_secret: world.clientSecret,
    }
    expect((await redeem(code, secret, {})).statusCode).toBe(200)
  })

  test.each([
    ['request', 'request_not_supported'],
    ['request_uri', 'request_uri_not_supported'],
    ['registration', 'registration_not_supported'],
  ])('oidcc-unsigned-request-object, -request-uri, registration: %s', async (name, error) => {
    expect(await errorOf({ [name]: 'https://x.example' })).toBe(error)
  })

  test('oidcc-refresh-token: the same subject and sign-in, for another token', async () => {
    const { tokens, claims } = await signIn()
    world.elapse(5000)
    const headers = basic(world.apps.confidential, world.clientSecret)
    const answer = await client.refresh(tokens.refresh_token, {}, headers)
    const refreshed = answer.json<Tokens>()
    expect(refreshed.access_token).not.toBe(tokens.access_token)
    const { iss, sub, aud, auth_time: authTime } = claims
    const again = await checkIdToken(refreshed.id_token)
    expect(again).toMatchObject({ iss, sub, aud, auth_time: authTime })
    expect(again.iat).toBe(claims.iat! + 5)
  })

  test('oidcc-ensure-request-with-valid-pkce-succeeds; a wrong verifier invalidates the code', async () => {
    const good = returned(await browser.visit('alice', addressOf(pkce)))
    expect((await redeem(good['code'], { code_verifier: verifier })).statusCode).toBe(200)

    for (const wrong of ['x'.repeat(43), 'short', undefined]) {
      const { code } = returned(await browser.visit('alice', addressOf(pkce)))
      expect((await redeem(code, { code_verifier: wrong })).statusCode).toBe(400)
      const late = await redeem(code, { code_verifier: verifier })
      expectOAuthError(late, 400, 'invalid_grant', /already used; no tokens were issued from it/)
    }
  })
})

describe('Dynamic OP: registration as offered in the metadata', () => {
  interface Registered {
    client_id: string
    client_secret?: string
    scope: string
    token_endpoint_auth_method: string
  }

  const metadata = async () =>
    (await client.get('/.well-known/openid-configuration')).json<{
      token_endpoint_auth_methods_supported: string[]
      scopes_supported: string[]
    }>()

  const register = async (payload: object): Promise<Registered> => {
    const json = { redirect_uris: [redirectUri], ...payload }
    const answer = await client.postJson('/oauth/register', json)
    expect(answer.statusCode).toBe(201)
    return answer.json<Registered>()
  }

  const credentials = (
    method: string,
    { client_id: id, client_secret: secret = '' }: Registered,
  ) => {
    if (method === 'client_secret_basic') return { form: {}, headers: basic({ id }, secret) }
    return {
      form: {
        client_id: id,
        ...(method === 'client_secret_post' ? { client_secret: secret } : {}),
      },
      headers: {},
    }
  }

  test('oidcc-discovery-endpoint-verification: every method can be registered and used', async () => {
    const { token_endpoint_auth_methods_supported: methods } = await metadata()
    expect(methods.toSorted()).toEqual(['client_secret_basic', 'client_secret_post', 'none'])
    for (const method of methods) {
      const registered = await register({ token_endpoint_auth_method: method })
      expect(registered.token_endpoint_auth_method).toBe(method)
      const change = { client_id: registered.client_id, ...pkce }
      const { code } = returned(await browser.visit('alice', addressOf(change)))
      const { form, headers } = credentials(method, registered)
      const answer = await redeem(code, { ...form, code_verifier: verifier }, headers)
      expect(answer.statusCode).toBe(200)
    }
  })

  test('oidcc-scope-*: a client registered without scope gets every offered scope', async () => {
    const { scopes_supported: offered } = await metadata()
    const registered = await register({})
    // The metadata of the protected resource offers one more.
    expect(registered.scope.split(' ').toSorted()).toEqual([...offered, 'read-mcp'].toSorted())
    for (const scope of offered) {
      const change = { client_id: registered.client_id, scope: `openid ${scope}` }
      const { code } = returned(await browser.visit('alice', addressOf(change)))
      const { form, headers } = credentials('client_secret_basic', registered)
      const tokens = (await redeem(code, form, headers)).json<{ scope: string }>()
      expect(tokens.scope.split(' ')).toContain(scope)
    }
  })

  test('a client registered with a scope gets no other', async () => {
    const registered = await register({ scope: 'openid profile' })
    expect(registered.scope).toBe('openid profile')
    const change = { client_id: registered.client_id, scope: 'openid email' }
    expect(returnedError(await browser.visit('alice', addressOf(change)))).toBe('invalid_scope')
  })
})
