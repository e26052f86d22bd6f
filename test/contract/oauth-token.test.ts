import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { revokeConsent } from '../../server/hub/oauth/consents.ts'
import { putSpaceApp } from '../../server/hub/oauth/space-app.ts'
import type { App } from '../../server/store/entities/oauth-entities.ts'
import { testApp } from '../helpers/app.ts'
import {
  basic,
  expectOAuthError,
  pkce,
  redirectUri,
  type Parameters,
} from '../helpers/oauth-client.ts'

const world = testApp()
const { client } = world

const scope = 'openid profile'

describe('authorization code (RFC 6749 §4.1.3)', () => {
  const publicCode = () =>
    client.getCode('alice', { client_id: world.apps.public.id, scope, ...pkce })
  /** Exchanges a code as the public app, unless told otherwise. */
  const redeem = (code: string, more: Parameters = {}, headers = {}) =>
    client.redeem(code, { client_id: world.apps.public.id, ...more }, headers)

  test('the token response must not be cached', async () => {
    const answer = await redeem(await publicCode())
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      pragma: 'no-cache',
    })
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^hf_oauth_sandbox_[\w-]+\.[\w-]+\.[\w-]{86}$/),
      token_type: 'bearer',
      expires_in: 28_800,
      scope,
      refresh_token: expect.stringMatching(/^hf_oauth_sandbox_refresh_\w{32}$/),
      id_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
    })
  })

  test('the redirect URI is compared as it was sent', async () => {
    const uri = 'http://localhost:3000'
    const { id } = world.app('Without a path', { redirectUris: [uri] })
    const asked = { client_id: id, redirect_uri: uri, scope, ...pkce }
    const session = await client.signIn('alice')
    const answer = await client.postForm(client.authorizeUrl(asked), '', session)
    expect(answer.headers.location).toMatch(/^http:\/\/localhost:3000\/\?code=\w{32}$/)
    const code = new URL(answer.headers.location!).searchParams.get('code')!
    const wrong = await redeem(code, { client_id: id, redirect_uri: `${uri}/` })
    expectOAuthError(wrong, 400, 'invalid_grant')
    expect((await redeem(code, { client_id: id, redirect_uri: uri })).statusCode).toBe(200)
  })

  test('the code identifies a client that is not named', async () => {
    expect((await client.redeem(await publicCode())).statusCode).toBe(200)
  })

  test('an app with a secret is refused with its code alone', async () => {
    const { confidential } = world.apps
    const code = await client.getCode('alice', { client_id: confidential.id, scope, ...pkce })
    expectOAuthError(await client.redeem(code), 401, 'invalid_client', /has a secret/)
    const authenticated = await client.redeem(code, {}, basic(confidential, world.clientSecret))
    expect(authenticated.statusCode).toBe(200)
  })

  test('an unknown code is refused', async () => {
    for (const answer of [await redeem('made-up'), await client.redeem('made-up')]) {
      expectOAuthError(answer, 400, 'invalid_grant', /unknown/)
    }
  })

  test('a reused code revokes the tokens issued from it', async () => {
    const code = await publicCode()
    const { access_token: accessToken, refresh_token: refreshToken } = (await redeem(code)).json<
      Record<string, string>
    >()
    expectOAuthError(await redeem(code), 400, 'invalid_grant', /already used; the tokens/)

    const whoami = await client.get('/api/whoami-v2', { authorization: `Bearer ${accessToken}` })
    expect(whoami.statusCode).toBe(401)
    const refreshed = await client.refresh(refreshToken!, { client_id: world.apps.public.id })
    expectOAuthError(refreshed, 400, 'invalid_grant', /revoked/)
  })

  test('one of two concurrent exchanges succeeds, and its tokens are revoked', async () => {
    const code = await publicCode()
    const answers = await Promise.all([redeem(code), redeem(code)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 400,
    ])
    expect(world.state.tokens.size).toBe(1)
    expect(world.state.tokens.first()?.revokedAt).toBeDefined()
  })

  test('an expired code is refused', async () => {
    const code = await publicCode()
    world.clock.advance(60_000)
    expectOAuthError(await redeem(code), 400, 'invalid_grant', /expired/)
  })

  test('a code is accepted until the moment it expires', async () => {
    const code = await publicCode()
    world.clock.advance(59_999)
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test.each([
    ['another redirect_uri', { redirect_uri: 'http://localhost:9/callback' }, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: undefined }, 'invalid_request'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a verifier that is too short', { code_verifier: 'x'.repeat(42) }, 'invalid_request'],
  ])('%s is refused and the code stays valid', async (_name, change, error) => {
    const code = await publicCode()
    expectOAuthError(await redeem(code, change), 400, error)
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('a verifier without a challenge is refused (RFC 9700 §4.8.2)', async () => {
    const { confidential } = world.apps
    const code = await client.getCode('alice', { client_id: confidential.id, scope })
    const answer = await client.redeem(code, {}, basic(confidential, world.clientSecret))
    expectOAuthError(answer, 400, 'invalid_grant', /no code_challenge/)
  })

  test('a code of another client is refused and stays valid', async () => {
    const code = await publicCode()
    const stranger = world.app('Stranger')
    const answer = await redeem(code, { client_id: stranger.id })
    expectOAuthError(answer, 400, 'invalid_grant', /another client/)
    expect((await redeem(code)).statusCode).toBe(200)
  })

  test('a code without challenge is refused after the app became public', async () => {
    const { confidential } = world.apps
    const code = await client.getCode('alice', { client_id: confidential.id, scope })
    const { clientSecret: _clientSecret, ...publicApp } = confidential
    world.state.apps.put(publicApp)
    const answer = await redeem(code, { client_id: confidential.id, code_verifier: undefined })
    expectOAuthError(answer, 400, 'invalid_grant', /PKCE/)
  })

  test('the old secret is refused after a rotation', async () => {
    const { confidential } = world.apps
    const code = await client.getCode('alice', { client_id: confidential.id, scope })
    world.state.apps.put({ ...confidential, clientSecret: 'rotated' })
    const unproven = { client_id: undefined, code_verifier: undefined }
    const stale = await redeem(code, unproven, basic(confidential, world.clientSecret))
    expectOAuthError(stale, 401, 'invalid_client', /wrong/)
    const fresh = await redeem(code, unproven, basic(confidential, 'rotated'))
    expect(fresh.statusCode).toBe(200)
  })

  test('the code of a deleted user is refused', async () => {
    const code = await publicCode()
    world.state.users.delete(world.users.alice.id)
    expectOAuthError(await redeem(code), 400, 'invalid_grant', /no longer exists/)
    expect(world.state.tokens.size).toBe(0)
  })

  test('the code of a deleted app is refused', async () => {
    const code = await publicCode()
    world.state.apps.delete(world.apps.public.id)
    expectOAuthError(await redeem(code), 401, 'invalid_client', /Unknown client/)
    expectOAuthError(await client.redeem(code), 401, 'invalid_client', /Unknown client/)
  })

  test('tokens have the duration of the app', async () => {
    const app = world.app('Short', { tokenDurationSeconds: 90 })
    const code = await client.getCode('alice', { client_id: app.id, scope, ...pkce })
    const answer = await redeem(code, { client_id: app.id })
    const { access_token: accessToken, expires_in: expiresIn } = answer.json<{
      access_token: string
      expires_in: number
    }>()
    expect(expiresIn).toBe(90)
    const whoami = () => client.get('/api/whoami-v2', { authorization: `Bearer ${accessToken}` })
    world.clock.advance(89_999)
    expect((await whoami()).statusCode).toBe(200)
    world.clock.advance(1)
    expect((await whoami()).statusCode).toBe(401)
  })
})

describe('refresh token (RFC 6749 §6, RFC 9700 §4.14)', () => {
  const refresh = (refreshToken: string, more = {}) =>
    client.refresh(refreshToken, { client_id: world.apps.public.id, ...more })

  test('a refresh returns a new refresh token with the same rights', async () => {
    const first = await client.signInTo(world.apps.public, 'alice')
    const answer = await refresh(first.refresh_token)
    expect(answer.statusCode).toBe(200)
    const second = answer.json<typeof first>()
    expect(second).toMatchObject({ token_type: 'bearer', expires_in: 28_800, scope })
    expect(second.id_token).toBeDefined()
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await refresh(second.refresh_token)).statusCode).toBe(200)
  })

  test('a refresh token ends after 90 days without use, and each refresh begins anew', async () => {
    const first = await client.signInTo(world.apps.public, 'alice')
    world.clock.advance(89 * 86_400_000)
    const second = (await refresh(first.refresh_token)).json<typeof first>()
    world.clock.advance(89 * 86_400_000)
    const third = (await refresh(second.refresh_token)).json<typeof first>()
    world.clock.advance(90 * 86_400_000)
    expectOAuthError(await refresh(third.refresh_token), 400, 'invalid_grant', /has expired/)
    expect(world.requests.values().at(-1)?.detail).toContain('lifetimes.refreshToken')
  })

  test('a reused refresh token revokes the whole authorization', async () => {
    const first = await client.signInTo(world.apps.public, 'alice')
    const second = (await refresh(first.refresh_token)).json<typeof first>()
    expectOAuthError(await refresh(first.refresh_token), 400, 'invalid_grant', /already used/)
    expectOAuthError(await refresh(second.refresh_token), 400, 'invalid_grant', /revoked/)
    for (const { access_token: accessToken } of [first, second]) {
      const answer = await client.get('/oauth/userinfo', {
        authorization: `Bearer ${accessToken}`,
      })
      expectOAuthError(answer, 401, 'invalid_token')
    }
  })

  test('other authorizations of the same user and app stay valid', async () => {
    const one = await client.signInTo(world.apps.public, 'alice')
    const other = await client.signInTo(world.apps.public, 'alice')
    await refresh(one.refresh_token)
    await refresh(one.refresh_token)
    expect((await refresh(other.refresh_token)).statusCode).toBe(200)
  })

  test('a narrowed scope applies to one response only', async () => {
    const first = await client.signInTo(world.apps.public, 'alice')
    const narrowed = (await refresh(first.refresh_token, { scope: 'profile' })).json<
      typeof first & { scope: string }
    >()
    expect(narrowed.scope).toBe('profile')
    expect(narrowed.id_token).toBeUndefined()
    const again = await refresh(narrowed.refresh_token)
    expect(again.json()).toMatchObject({ scope })
  })

  test('a wider scope is refused and the token stays valid', async () => {
    const { refresh_token: token } = await client.signInTo(world.apps.public, 'alice')
    expectOAuthError(await refresh(token, { scope: 'profile email' }), 400, 'invalid_scope')
    expect((await refresh(token)).statusCode).toBe(200)
  })

  test('unknown scopes, which clients repeat from their first request, are left out', async () => {
    const { refresh_token: token } = await client.signInTo(world.apps.public, 'alice')
    const first = await refresh(token, { scope: `${scope} offline_access` })
    expect(first.json()).toMatchObject({ scope })
    const { refresh_token: next } = first.json<{ refresh_token: string }>()
    for (const unreadable of ['offline_access', ' ']) {
      expectOAuthError(await refresh(next, { scope: unreadable }), 400, 'invalid_scope')
    }
    expect((await refresh(next)).json()).toMatchObject({ scope })
  })

  test('an unknown token, one of another client and a missing one are refused', async () => {
    const { refresh_token: token } = await client.signInTo(world.apps.public, 'alice')
    expectOAuthError(await refresh('made-up'), 400, 'invalid_grant', /unknown/)
    const stranger = await refresh(token, { client_id: world.app('Stranger').id })
    expectOAuthError(stranger, 400, 'invalid_grant', /another client/)
    expectOAuthError(await refresh(token, { refresh_token: undefined }), 400, 'invalid_request')
    expect((await refresh(token)).statusCode).toBe(200)
  })

  test('the refresh token of a deleted user is refused', async () => {
    const { refresh_token: token } = await client.signInTo(world.apps.public, 'alice')
    world.state.users.delete(world.users.alice.id)
    expectOAuthError(await refresh(token), 400, 'invalid_grant', /no longer exists/)
  })

  test('a refreshed token keeps the granted organizations', async () => {
    const { acme, labs } = world.organizations
    const code = await client.getCode('bob', {
      client_id: world.apps.public.id,
      scope,
      orgIds: [acme.id, labs.id].join(','),
      ...pkce,
    })
    const first = await client.redeem(code, { client_id: world.apps.public.id })
    let { refresh_token: refreshToken } = first.json<{ refresh_token: string }>()
    // The second refresh uses what the first one stored.
    for (const round of [1, 2]) {
      const answer = await refresh(refreshToken)
      refreshToken = answer.json<{ refresh_token: string }>().refresh_token
      expect(world.state.tokens.last()?.organizationIds, `refresh ${round}`).toEqual([
        acme.id,
        labs.id,
      ])
    }
  })

  test('a refresh keeps the time of the sign-in', async () => {
    const first = await client.signInTo(world.apps.public, 'alice')
    // Real time passes: an ID token has no auth_time later than that, wherever the clock is.
    world.elapse(3_600_000)
    const second = (await refresh(first.refresh_token)).json<typeof first>()
    const { auth_time: authTime } = decodeJwt(first.id_token!)
    expect(authTime).toBe(Math.floor(world.clock.now() / 1000) - 3600)
    expect(decodeJwt(second.id_token!)['auth_time']).toBe(authTime)
  })
})

describe("a static Space's own app", () => {
  const spaceUri = 'https://alice-demo.static.hf.space/index.html?_target_url=/'
  let app: App
  beforeEach(() => {
    const { state } = world
    const actorId = world.users.alice.id
    const repo = createRepo(world.deps, {
      type: 'space',
      name: 'alice/demo',
      sdk: 'static',
      actorId,
    })
    commitFiles(world.deps, {
      repo,
      revision: 'main',
      operations: [{ kind: 'add', path: 'README.md', content: '---\nhf_oauth: true\n---\n' }],
      title: 'Ask for an app',
      actorId,
    })
    app = putSpaceApp(world.deps, state.repos.get(repo.id)!)!
  })

  test('the page of a static Space exchanges its code with the verifier alone', async () => {
    for (const uri of [spaceUri, 'https://alice-demo.hf.space/']) {
      const asked = { client_id: app.id, redirect_uri: uri, scope, ...pkce }
      const code = await client.getCode('alice', asked)
      const unproven = { redirect_uri: uri, code_verifier: undefined }
      expectOAuthError(await client.redeem(code, unproven), 400, 'invalid_grant')
      expect((await client.redeem(code, { redirect_uri: uri })).statusCode).toBe(200)
    }
  })

  test.each([
    ['no PKCE', {}],
    ['plain PKCE', { ...pkce, code_challenge_method: 'plain' }],
  ])('a static Space gets no code with %s (RFC 7636 §4.4.1)', async (_name, proof) => {
    const asked = { client_id: app.id, redirect_uri: spaceUri, scope, ...proof }
    const session = await client.signIn('alice')
    const answer = await client.get(client.authorizeUrl(asked), session)
    expect(new URL(answer.headers.location!).searchParams.get('error')).toBe('invalid_request')
  })

  test('a static Space has no secret', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'x' }
    const answer = await client.token(form, basic(app, 'sandbox_guess'))
    expectOAuthError(answer, 401, 'invalid_client', /has no secret/)
  })
})

describe('client of a metadata document', () => {
  const siteUrl = 'http://localhost:4000/client'
  const serve = (path: string, body: object) =>
    world.sites.set(path, {
      status: 200,
      contentType: 'application/json',
      body: JSON.stringify(body),
    })

  test('the client is used as it was authorized, whatever the document says now', async () => {
    serve(siteUrl, {
      client_id: siteUrl,
      client_name: 'Site',
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    })
    const code = await client.getCode('alice', { client_id: siteUrl, scope, ...pkce })
    const device = await client.startDevice({ client_id: siteUrl, scope })
    world.state.apps.put({ ...world.state.apps.get(siteUrl)!, refreshAfter: 0 })
    world.sites.clear()

    const named = { client_id: siteUrl }
    const redeemed = await client.redeem(code, named)
    expect(redeemed.statusCode).toBe(200)
    const { refresh_token: refreshToken } = redeemed.json<{ refresh_token: string }>()
    expect((await client.refresh(refreshToken, named)).statusCode).toBe(200)
    const polled = await client.poll(device, named)
    expectOAuthError(polled, 400, 'authorization_pending')
  })

  test('the document is never fetched for a token request', async () => {
    serve(siteUrl, {})
    const form = { grant_type: 'refresh_token', client_id: siteUrl, refresh_token: 'x' }
    expectOAuthError(await client.token(form), 401, 'invalid_client', /does not know it yet/)
  })
})

describe('token exchange (RFC 8693, member by e-mail)', () => {
  const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange'
  const exchangeForm = {
    grant_type: grantType,
    subject_token: 'bob@example.com',
    subject_token_type: 'urn:service:token-type:user-email',
  }
  const exchange = (more = {}, app = world.apps.exchange) =>
    client.exchange('bob@example.com', basic(app, world.clientSecret), more)

  test('an exchange issues a token bound to the organization, without refresh token', async () => {
    const answer = await exchange({ scope: 'openid read-repos' })
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^hf_oauth_sandbox_/),
      token_type: 'bearer',
      expires_in: 28_800,
      scope: 'openid read-repos',
      id_token: expect.any(String),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    const { access_token: accessToken } = answer.json<{ access_token: string }>()
    const whoami = await client.get('/api/whoami-v2', { authorization: `Bearer ${accessToken}` })
    expect(whoami.json()).toMatchObject({
      name: 'bob',
      orgs: [{ name: 'acme' }],
      auth: { type: 'oauth', resource: { sub: world.organizations.acme.id } },
    })
  })

  test('an exchange has no auth_time, since no user signed in (OpenID Connect Core §2)', async () => {
    const answer = await exchange({ scope: 'openid' })
    const claims = decodeJwt(answer.json<{ id_token: string }>().id_token)
    expect(claims).toMatchObject({ sub: world.users.bob.id, iat: expect.any(Number) })
    expect(claims).not.toHaveProperty('auth_time')
  })

  test('an exchanged token stays valid after the member disconnects the app', async () => {
    const { access_token: accessToken } = (await exchange()).json<{ access_token: string }>()
    revokeConsent(world.deps, world.users.bob.id, world.apps.exchange.id)
    const whoami = await client.get('/api/whoami-v2', { authorization: `Bearer ${accessToken}` })
    expect(whoami.statusCode).toBe(200)
  })

  test('an exchange has all scopes of the app by default', async () => {
    const answer = await exchange()
    expect(answer.json()).toMatchObject({ scope: world.apps.exchange.scopes.join(' ') })
  })

  test('both names of the subject token type and any letter case of e-mail addresses are accepted', async () => {
    const answer = await exchange({
      subject_token: 'Bob@Example.com',
      subject_token_type: 'urn:huggingface:token-type:user-email',
    })
    expect(answer.statusCode).toBe(200)
  })

  test('an exchanged token is valid for at most 30 days', async () => {
    world.state.apps.put({ ...world.apps.exchange, tokenDurationSeconds: 40 * 86_400 })
    expect((await exchange()).json()).toMatchObject({ expires_in: 30 * 86_400 })
  })

  test('every exchange is in the audit log, granted or refused', async () => {
    await exchange({ scope: 'openid' })
    await exchange({ subject_token: 'carol@example.com' })
    const rows = world.state.auditRows.group('organization', world.organizations.acme.id)
    expect(rows).toMatchObject([
      {
        type: 'oauth.token',
        clientId: world.apps.exchange.id,
        authorId: world.users.bob.id,
        ip: '127.0.0.1',
        data: { outcome: 'granted', email: 'bob@example.com', scope: 'openid' },
      },
      { data: { outcome: 'refused', error: 'invalid_grant', email: 'carol@example.com' } },
    ])
  })

  test('refusals before client authentication are in the audit log, too', async () => {
    const form = exchangeForm
    await client.token(form, basic(world.apps.exchange, 'a wrong secret'))
    await client.token({ ...form, client_id: world.apps.exchange.id })
    await client.token({ ...form, client_id: world.apps.confidential.id })
    await client.token({ ...form, client_id: 'nobody' })
    const refused = {
      organizationId: world.organizations.acme.id,
      clientId: world.apps.exchange.id,
      data: { outcome: 'refused', error: 'invalid_client', email: 'bob@example.com' },
    }
    expect([...world.state.auditRows.values()]).toMatchObject([
      { ...refused, message: 'Refused a token: The client secret is wrong.' },
      refused,
    ])
  })

  test('a token that was sent in place of the e-mail address stays out of the audit log', async () => {
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'
    const idToken = 'urn:ietf:params:oauth:token-type:id_token'
    await exchange({ subject_token: jwt, subject_token_type: idToken })
    expect(JSON.stringify([...world.state.auditRows.values()])).not.toContain(jwt)
  })

  test.each([
    ['somebody unknown', { subject_token: 'nobody@example.com' }, 'invalid_grant'],
    ['no member', { subject_token: 'carol@example.com' }, 'invalid_grant'],
    ['an unverified address', { subject_token: 'mallory@example.com' }, 'invalid_grant'],
    ['no subject', { subject_token: undefined }, 'invalid_request'],
    ['no subject type', { subject_token_type: undefined }, 'invalid_request'],
    ['an unknown subject type', { subject_token_type: 'urn:x' }, 'invalid_request'],
    [
      'a CI identity token',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'invalid_request',
    ],
    ['another token type', { requested_token_type: 'urn:x' }, 'invalid_request'],
    ['a resource (RFC 8693 §2.2.2)', { resource: 'acme/corpus' }, 'invalid_target'],
    ['an audience (RFC 8693 §2.2.2)', { audience: 'hub' }, 'invalid_target'],
    ['an actor', { actor_token: 'x' }, 'invalid_request'],
    ['an unknown scope', { scope: 'everything' }, 'invalid_scope'],
    ['a scope the app lacks', { scope: 'jobs' }, 'invalid_scope'],
    ['an empty scope', { scope: ' ' }, 'invalid_scope'],
  ])('refuses %s', async (_name, change, error) => {
    expectOAuthError(await exchange(change), 400, error)
    expect(world.state.tokens.size).toBe(0)
  })

  test('apps without organization, privilege or plan are refused', async () => {
    const { confidential, labs } = world.apps
    expectOAuthError(await exchange({}, confidential), 401, 'invalid_client', /not bound/)
    expectOAuthError(await exchange({}, labs), 401, 'invalid_client', /not authorized/)
    const unpaid = world.app('Labs exchange', {
      clientSecret: world.clientSecret,
      organizationId: world.organizations.labs.id,
      privileges: ['token-exchange'],
    })
    expectOAuthError(await exchange({}, unpaid), 401, 'invalid_client', /Enterprise/)
  })

  test('the secret is accepted as Basic only', async () => {
    const form = { ...exchangeForm, client_id: world.apps.exchange.id }
    const posted = await client.token({ ...form, client_secret: world.clientSecret })
    expectOAuthError(posted, 401, 'invalid_client', /client_secret_basic/)
    expectOAuthError(await client.token(form), 401, 'invalid_client', /Basic/)
    const publicApp = await client.token({ ...exchangeForm, client_id: world.apps.public.id })
    expectOAuthError(publicApp, 401, 'invalid_client', /not allowed to use this grant/)
  })

  test('a JSON body is for the ID tokens of CI jobs alone', async () => {
    const answer = await client.postJson('/oauth/token', exchangeForm)
    expectOAuthError(answer, 400, 'invalid_request', /CI identity tokens.*as a form/)
  })
})

describe('client authentication (RFC 6749 §2.3.1)', () => {
  const challenged = (answer: { headers: Record<string, unknown> }) =>
    answer.headers['www-authenticate']
  const form = { grant_type: 'refresh_token', refresh_token: 'x' }

  test('only a client that used Basic gets a challenge (§5.2)', async () => {
    const { confidential } = world.apps
    const withBasic = await client.token(form, basic(confidential, 'wrong'))
    expectOAuthError(withBasic, 401, 'invalid_client', /wrong/)
    expect(challenged(withBasic)).toBe('Basic realm="hub-sandbox"')

    const posted = { ...form, client_id: confidential.id, client_secret: 'wrong' }
    const inBody = await client.token(posted)
    expectOAuthError(inBody, 401, 'invalid_client', /wrong/)
    expect(challenged(inBody)).toBeUndefined()
  })

  test.each([
    ['another scheme', 'Bearer abc'],
    ['nothing', 'Basic '],
    ['no base64', 'Basic ###'],
    ['no colon', `Basic ${Buffer.from('alone').toString('base64')}`],
  ])('an Authorization header with %s is refused', async (_name, authorization) => {
    const answer = await client.token(form, { authorization })
    expectOAuthError(answer, 401, 'invalid_client', /must be .Basic/)
    expect(challenged(answer)).toBe('Basic realm="hub-sandbox"')
  })

  test('the secret is accepted in header or body, form-encoded or not', async () => {
    const secret = 'a+b %/ü'
    const app = world.app('Odd secret', { clientSecret: secret })
    const raw = Buffer.from(`${app.id}:${secret}`).toString('base64')
    for (const [more, headers] of [
      [{}, basic(app, secret)],
      [{}, { authorization: `Basic ${raw}` }],
      [{ client_id: app.id, client_secret: secret }, {}],
    ] as const) {
      const answer = await client.token({ ...form, ...more }, headers)
      expectOAuthError(answer, 400, 'invalid_grant')
    }
  })

  test('two methods at once and two client ids are refused', async () => {
    const { confidential } = world.apps
    const headers = basic(confidential, world.clientSecret)
    const both = await client.token({ ...form, client_secret: world.clientSecret }, headers)
    expectOAuthError(both, 400, 'invalid_request', /once/)
    const named = await client.token({ ...form, client_id: world.apps.public.id }, headers)
    expectOAuthError(named, 400, 'invalid_request', /not the client of/)
  })

  test('an unknown client, a missing one and a needless secret are refused', async () => {
    const unknown = await client.token({ ...form, client_id: 'x' })
    expectOAuthError(unknown, 401, 'invalid_client', /Unknown client/)
    expectOAuthError(await client.token(form), 401, 'invalid_client', /No client/)
    const needless = { ...form, client_id: world.apps.public.id, client_secret: 'x' }
    expectOAuthError(await client.token(needless), 401, 'invalid_client', /public/)
  })

  test('the id of a public app is accepted as Basic without a secret', async () => {
    const answer = await client.token(form, basic(world.apps.public, ''))
    expectOAuthError(answer, 400, 'invalid_grant')
  })
})

describe('malformed requests (RFC 6749 §3.2, §5.2)', () => {
  const post = (contentType: string, payload: string) =>
    world.server.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': contentType },
      payload,
    })
  const form = 'application/x-www-form-urlencoded'

  test.each([
    ['nothing', form, '', /grant_type is missing/],
    ['an empty grant type', form, 'grant_type=', /grant_type is missing/],
    ['JSON', 'application/json', '{"grant_type":"refresh_token"}', /urlencoded/],
    ['broken JSON', 'application/json', '{"grant_type":', /not valid JSON/],
    ['poisoned JSON', 'application/json', '{"__proto__":{"a":1}}', /not valid JSON/],
    ['a bare JSON value', 'application/json', '"grant_type"', /urlencoded/],
    ['text', 'text/plain', 'grant_type=refresh_token', /urlencoded/],
    ['multipart', 'multipart/form-data; boundary=x', '--x--', /urlencoded/],
    ['XML', 'application/xml', '<a/>', /urlencoded/],
    ['no content type', '', 'grant_type=refresh_token', /urlencoded/],
    ['a repeated parameter', form, 'grant_type=a&grant_type=b', /more than once/],
    ['a parameter repeated alike', form, 'grant_type=a&grant_type=a', /more than once/],
  ])('refuses %s', async (_name, contentType, payload, description) => {
    expectOAuthError(await post(contentType, payload), 400, 'invalid_request', description)
  })

  test('an unknown grant type has its own error code', async () => {
    for (const grantType of ['password', 'client_credentials', 'implicit', '__proto__', 'x"y\\ü']) {
      const answer = await client.token({ grant_type: grantType })
      expectOAuthError(answer, 400, 'unsupported_grant_type')
    }
  })

  test('error descriptions have only the characters of RFC 6749 §5.2', async () => {
    const answer = await client.token({ grant_type: 'a"b\\c\u00fc\n' })
    const { error_description: description } = answer.json<{ error_description: string }>()
    expect(description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(description).toContain("'a?'b??")
  })

  test('a request that is too large is refused as an OAuth error', async () => {
    const answer = await post(form, `grant_type=${'x'.repeat(70_000)}`)
    expectOAuthError(answer, 413, 'invalid_request', /too large/)
  })

  test('empty parameters count as missing, and unknown ones are ignored', async () => {
    const body = `grant_type=refresh_token&refresh_token=x&client_secret=&client_id=${world.apps.public.id}&zzz=1&resource=https://a.example&resource=https://b.example`
    expectOAuthError(await post(form, body), 400, 'invalid_grant')
  })

  test('parameters of the URL are ignored', async () => {
    const url = `/oauth/token?grant_type=refresh_token&refresh_token=x&client_id=${world.apps.public.id}`
    const answer = await world.server.inject({ method: 'POST', url })
    expectOAuthError(answer, 400, 'invalid_request', /grant_type is missing/)
  })

  test('GET is refused', async () => {
    expect((await client.get('/oauth/token')).statusCode).toBe(404)
  })

  test('the event has the reason, but no secret', async () => {
    const { confidential } = world.apps
    await client.token(
      { grant_type: 'authorization_code', code: 'the-code', redirect_uri: redirectUri },
      basic(confidential, 'the-wrong-secret'),
    )
    const refused = world.events.filter(({ type }) => type === 'token.refused')
    expect(refused).toMatchObject([
      { data: { error: 'invalid_client', grant: 'authorization_code', clientId: confidential.id } },
    ])
    expect(JSON.stringify(world.events)).not.toMatch(/the-code|the-wrong-secret/)
  })
})
