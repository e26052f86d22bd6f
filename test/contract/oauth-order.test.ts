import { beforeEach, describe, expect, test } from 'vitest'
import { checks } from '../../server/hub/oauth/checks.ts'
import { testApp } from '../helpers/app.ts'
import {
  basic,
  encode,
  expectOAuthError,
  type Parameters,
  pkce,
  redirectUri,
} from '../helpers/oauth-client.ts'
import { bearerOf } from '../helpers/user-token.ts'

const world = testApp()
const { client } = world

/** Outside of it a user is asked for every known scope, so no scope is a fault. */
const beStrict = () => world.begin({ strict: true })

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A request with two faults, and what is told of it. */
type Case = [title: string, request: () => [Parameters | string, object?], Expected]
type Expected = [status: number, error: string, description: RegExp]

const publicApp = () => ({ client_id: world.apps.public.id })
const wrongBasic = () => basic(world.apps.confidential, 'wrong')

test('the table of checks has every OAuth route, and no others', async () => {
  const { paths } = (await world.server.inject('/_sandbox/openapi.json')).json<{
    paths: Record<string, object>
  }>()
  const registered = Object.entries(paths)
    .filter(([path]) =>
      /^\/(?:oauth|\.well-known|api\/credentials)\/|\/(?:tokens\/revoke|audit-log\/export)$/.test(
        path,
      ),
    )
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
  expect(Object.keys(checks).toSorted()).toEqual(registered.toSorted())
})

describe('token request with two errors (RFC 6749 §5.2, RFC 8693 §2.2.2)', () => {
  test.each<Case>([
    [
      'the repeated parameter before the unknown grant type',
      () => ['grant_type=x&client_id=a&client_id=b'],
      [400, 'invalid_request', /more than once/],
    ],
    [
      'the unknown grant type before the header that is not Basic',
      () => [{ grant_type: 'password', ...publicApp() }, { authorization: 'Digest x' }],
      [400, 'unsupported_grant_type', /password/],
    ],
    [
      'two secrets before the unknown client',
      () => [{ grant_type: 'refresh_token', client_secret: 'x' }, basic({ id: 'nobody' }, 'x')],
      [400, 'invalid_request', /once/],
    ],
    [
      'the unknown client before the missing code',
      () => [{ grant_type: 'authorization_code', client_id: 'nobody' }],
      [401, 'invalid_client', /Unknown client/],
    ],
    [
      'the wrong secret before the missing redirect URI',
      () => [{ grant_type: 'authorization_code', code: 'x' }, wrongBasic()],
      [401, 'invalid_client', /secret is wrong/],
    ],
    [
      'the missing redirect URI before the unknown code',
      () => [{ grant_type: 'authorization_code', code: 'x', ...publicApp() }],
      [400, 'invalid_request', /redirect_uri is missing/],
    ],
    [
      'the wrong secret before the unknown refresh token',
      () => [{ grant_type: 'refresh_token', refresh_token: 'x' }, wrongBasic()],
      [401, 'invalid_client', /secret is wrong/],
    ],
    [
      'the unknown refresh token before the scope that was not granted',
      () => [{ grant_type: 'refresh_token', refresh_token: 'x', scope: 'jobs', ...publicApp() }],
      [400, 'invalid_grant', /unknown/],
    ],
    [
      'the missing secret before the missing device code',
      () => [{ grant_type: deviceGrant, client_id: world.apps.confidential.id }],
      [401, 'invalid_client', /must send it/],
    ],
    [
      'the wrong secret before its being in the body, where an exchange takes none',
      () => [
        { grant_type: exchangeGrant, client_id: world.apps.exchange.id, client_secret: 'wrong' },
      ],
      [401, 'invalid_client', /secret is wrong/],
    ],
    [
      'the secret in the body before the missing subject',
      () => [
        {
          grant_type: exchangeGrant,
          client_id: world.apps.exchange.id,
          client_secret: world.clientSecret,
        },
      ],
      [401, 'invalid_client', /client_secret_basic/],
    ],
    [
      'the app without an organization before the missing subject',
      () => [{ grant_type: exchangeGrant }, basic(world.apps.confidential, world.clientSecret)],
      [401, 'invalid_client', /not bound/],
    ],
    [
      'the unknown type of subject before the unknown subject',
      () => [
        {
          grant_type: exchangeGrant,
          subject_token: 'nobody@example.com',
          subject_token_type: 'urn:x',
        },
        basic(world.apps.exchange, world.clientSecret),
      ],
      [400, 'invalid_request', /subject_token_type/],
    ],
    [
      'the unknown subject before the unknown scope',
      () => [
        {
          grant_type: exchangeGrant,
          subject_token: 'nobody@example.com',
          subject_token_type: 'urn:service:token-type:user-email',
          scope: 'everything',
        },
        basic(world.apps.exchange, world.clientSecret),
      ],
      [400, 'invalid_grant', /not found/],
    ],
  ])('the response reports %s', async (_title, request, [status, error, description]) => {
    const [form, headers = {}] = request()
    const answer = await client.token(form, headers as Record<string, string>)
    expectOAuthError(answer, status, error, description)
  })
})

describe('device authorization request with two errors (RFC 8628 §3.1)', () => {
  beforeEach(beStrict)

  test.each<Case>([
    [
      'the repeated parameter before the missing client',
      () => ['scope=openid&scope=profile'],
      [400, 'invalid_request', /more than once/],
    ],
    [
      'the missing client before the scope beyond its settings',
      () => [{ scope: 'jobs' }],
      [400, 'invalid_request', /client_id is missing/],
    ],
    [
      'the unknown client before the scope beyond its settings',
      () => [{ client_id: 'nobody', scope: 'jobs' }],
      [401, 'invalid_client', /Unknown client/],
    ],
    [
      'the wrong secret before the scope beyond the settings',
      () => [{ scope: 'jobs' }, wrongBasic()],
      [401, 'invalid_client', /secret is wrong/],
    ],
  ])('the response reports %s', async (_title, request, [status, error, description]) => {
    const [form, headers = {}] = request()
    const answer = await client.postForm('/oauth/device', form, headers as Record<string, string>)
    expectOAuthError(answer, status, error, description)
  })
})

describe('authorization request with two errors (RFC 6749 §4.1.2.1)', () => {
  beforeEach(beStrict)

  test.each<[string, () => string, RegExp]>([
    [
      'the repeated redirect URI before the unknown client',
      () => `client_id=nobody&redirect_uri=${redirectUri}&redirect_uri=${redirectUri}`,
      /more than once/,
    ],
    [
      'the unknown client before the missing redirect URI',
      () => 'client_id=nobody',
      /No app has the client id/,
    ],
    [
      'the foreign redirect URI before the scope beyond the settings',
      () => encode({ ...publicApp(), redirect_uri: 'https://evil.example/', scope: 'jobs' }),
      /cannot be used/,
    ],
  ])('the page reports %s without a redirect', async (_title, query, description) => {
    const answer = await client.get(`/oauth/authorize?${query()}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toMatch(description)
  })

  test.each<[string, Parameters, string, RegExp]>([
    [
      'the response type before the missing challenge',
      { response_type: 'token' },
      'unsupported_response_type',
      /token/,
    ],
    [
      'the missing challenge before the age that is no number',
      { max_age: 'x' },
      'invalid_request',
      /PKCE/,
    ],
    [
      'the age that is no number before the scope beyond the settings',
      { ...pkce, max_age: 'x', scope: 'jobs' },
      'invalid_request',
      /max_age/,
    ],
    [
      'the scope beyond the settings before prompts that exclude each other',
      { ...pkce, scope: 'jobs', prompt: 'none login' },
      'invalid_scope',
      /jobs/,
    ],
  ])('the redirect reports %s', async (_title, parameters, error, description) => {
    const asked = {
      ...publicApp(),
      response_type: 'code',
      redirect_uri: redirectUri,
      ...parameters,
    }
    const answer = await client.get(client.authorizeUrl(asked))
    expect(answer.statusCode).toBe(303)
    const told = new URL(answer.headers.location!)
    expect(told.href.startsWith(redirectUri)).toBe(true)
    expect(told.searchParams.get('error')).toBe(error)
    expect(told.searchParams.get('error_description')).toMatch(description)
  })
})

describe('other requests with two errors', () => {
  test('userinfo reports a repeated token before it checks the token (RFC 6750 §2)', async () => {
    const answer = await client.postForm(
      '/oauth/userinfo',
      { access_token: 'unknown' },
      { authorization: 'Bearer unknown' },
    )
    expectOAuthError(answer, 400, 'invalid_request', /once/)
  })

  test('userinfo reports a revoked token before the wrong kind', async () => {
    const revoked = bearerOf(world, world.users.alice, { revokedAt: world.clock.now() })
    const answer = await client.get('/oauth/userinfo', revoked)
    expectOAuthError(answer, 401, 'invalid_token', /Invalid credentials/)
  })

  test.each<[string, object, string, RegExp]>([
    [
      'the redirect URI before the method',
      { redirect_uris: ['x'], token_endpoint_auth_method: 'x' },
      'invalid_redirect_uri',
      /redirect_uris\[0\]/,
    ],
    [
      'the method before the scope',
      { token_endpoint_auth_method: 'x', scope: ['openid'] },
      'invalid_client_metadata',
      /token_endpoint_auth_method/,
    ],
    [
      'the scope before the name',
      { scope: ['openid'], client_name: 1 },
      'invalid_client_metadata',
      /scope must be/,
    ],
  ])('a registration reports %s (RFC 7591 §3.2.2)', async (_title, payload, error, description) => {
    const answer = await world.server.inject({ method: 'POST', url: '/oauth/register', payload })
    expectOAuthError(answer, 400, error, description)
    expect([...world.state.apps.values()].some(({ origin }) => origin === 'registration')).toBe(
      false,
    )
  })

  test('the device form redirects to the login page before it is checked', async () => {
    const answer = await client.postForm('/oauth/device/verify', { nonce: 'x', user_code: 'x' })
    expect(answer.statusCode).toBe(303)
    expect(answer.headers.location).toBe('/login?next=/oauth/device')
  })

  test('a foreign form is refused before the device code is checked', async () => {
    const form = { nonce: 'x', user_code: 'x' }
    const session = await client.signIn('alice')
    const answer = await client.postForm('/oauth/device/verify', form, session)
    expect(answer.statusCode).toBe(403)
    expect(answer.body).not.toContain('This code is not known')
  })

  test('an unknown device code is reported before a missing decision', async () => {
    const session = await client.signIn('alice')
    const answer = await client.postForm('/oauth/device/verify', { user_code: 'x' }, session)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('This code is not known')
  })

  const revocation = '/api/organizations/acme/settings/tokens/revoke'
  test.each<[string, string, string, number, RegExp]>([
    ['that nobody is signed in', revocation, '', 401, /username or password/],
    ['the missing right', revocation, 'carol', 403, /admin right/],
    ['the missing token', revocation, 'alice', 400, /token must be/],
    ['the unknown organization', revocation.replace('acme', 'nobody'), '', 404, /not found/],
  ])('a revocation reports %s first', async (_title, url, user, status, error) => {
    // Without the plan that it needs, and without a token in the body.
    world.state.organizations.put({ ...world.organizations.acme, plan: 'team' })
    const headers = user === '' ? {} : await client.signIn(user)
    const answer = await world.server.inject({ method: 'POST', url, payload: {}, headers })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toEqual({ error: expect.stringMatching(error) })
  })

  test('a revocation reports the missing plan before the unknown token', async () => {
    world.state.organizations.put({ ...world.organizations.acme, plan: 'team' })
    const headers = await client.signIn('alice')
    const payload = { token: 'unknown' }
    const answer = await world.server.inject({ method: 'POST', url: revocation, payload, headers })
    expect(answer.statusCode).toBe(402)
  })

  test('an export reports the missing right before the unknown filter', async () => {
    const url = '/api/organizations/acme/audit-log/export?q=x'
    expect((await client.get(url)).statusCode).toBe(401)
    expect((await client.get(url, await client.signIn('carol'))).statusCode).toBe(403)
    expect((await client.get(url, await client.signIn('alice'))).statusCode).toBe(400)
  })
})
