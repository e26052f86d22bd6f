import { describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'
import { expectOAuthError } from '../helpers/oauth-client.ts'
import { mintUserToken } from '../helpers/user-token.ts'

const world = testApp()
const { client } = world

const userinfo = (authorization?: string) =>
  client.get('/oauth/userinfo', authorization === undefined ? {} : { authorization })

describe('userinfo (OpenID Connect Core §5.3)', () => {
  test.each([
    ['openid', {}],
    [
      'openid profile',
      {
        name: 'Alice Example',
        preferred_username: 'alice',
        profile: 'http://localhost:7420/alice',
        picture: 'http://localhost:7420/avatars/alice.svg',
        website: 'https://alice.example',
      },
    ],
    ['openid email', { email: 'alice@example.com', email_verified: true }],
    ['openid read-billing', { canPay: true, billingMode: 'postpaid' }],
  ])('the scope %j returns its own claims only', async (scope, claims) => {
    const { access_token: token } = await client.signInTo(world.apps.public, 'alice', scope)
    const answer = await userinfo(`Bearer ${token}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    const { orgs, organizations, ...user } = answer.json<Record<string, unknown>>()
    expect(user).toEqual({ sub: world.users.alice.id, isPro: true, ...claims })
    expect(organizations).toEqual(orgs)
    expect(orgs).toHaveLength(scope.includes('profile') ? 1 : 0)
  })

  test('the token is accepted in the header of a GET or POST, or in a form (RFC 6750 §2)', async () => {
    const { access_token: token } = await client.signInTo(world.apps.public, 'alice')
    const header = { authorization: `Bearer ${token}` }
    const bodies = [
      await client.get('/oauth/userinfo', header),
      await world.server.inject({ method: 'POST', url: '/oauth/userinfo', headers: header }),
      await client.postForm('/oauth/userinfo', { access_token: token }),
    ].map((answer) => answer.json<{ sub: string }>())
    expect(bodies.map(({ sub }) => sub)).toEqual(Array(3).fill(world.users.alice.id))
  })

  test('a token in both places, twice or in the URL is refused', async () => {
    const { access_token: token } = await client.signInTo(world.apps.public, 'alice')
    const header = { authorization: `Bearer ${token}` }
    const both = await client.postForm('/oauth/userinfo', { access_token: token }, header)
    expectOAuthError(both, 400, 'invalid_request', /once/)
    const twice = await client.postForm('/oauth/userinfo', `access_token=${token}&access_token=x`)
    expectOAuthError(twice, 400, 'invalid_request', /more than once/)
    const inAddress = await client.get(`/oauth/userinfo?access_token=${token}`)
    expectOAuthError(inAddress, 401, 'invalid_token')
  })

  test('a missing token gets a challenge without an error code (RFC 6750 §3)', async () => {
    const answer = await userinfo()
    expectOAuthError(answer, 401, 'invalid_token')
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="hub-sandbox"')
  })

  test.each([
    ['an unknown token', 'Bearer hf_oauth_sandbox_unknown'],
    ['another scheme', 'Basic YTpi'],
    ['what is no token', 'Bearer "quoted"'],
    ['nothing', 'Bearer '],
  ])('%s gets a challenge with the error', async (_name, authorization) => {
    const answer = await userinfo(authorization)
    expectOAuthError(answer, 401, 'invalid_token', /Invalid credentials/)
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="hub-sandbox", error="invalid_token", error_description="Invalid credentials in Authorization header"',
    )
    expect(answer.headers['x-error-message']).toBe('Invalid credentials in Authorization header')
  })

  test('an invalid token in a form gets the error, too', async () => {
    const answer = await client.postForm('/oauth/userinfo', { access_token: 'unknown' })
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('expired and revoked tokens and those of deleted users are refused', async () => {
    const [expired, revoked, orphaned] = [
      await client.signInTo(world.apps.public, 'alice'),
      await client.signInTo(world.apps.public, 'alice'),
      await client.signInTo(world.apps.public, 'bob'),
    ].map(({ access_token: token }) => `Bearer ${token}`)
    const stored = world.state.tokens.find('token', revoked!.slice(7))!
    world.state.tokens.put({ ...stored, revokedAt: world.clock.now() })
    expectOAuthError(await userinfo(revoked), 401, 'invalid_token')
    world.state.users.delete(world.users.bob.id)
    expectOAuthError(await userinfo(orphaned), 401, 'invalid_token')
    expect((await userinfo(expired)).statusCode).toBe(200)
    world.clock.advance(28_800_000)
    expectOAuthError(await userinfo(expired), 401, 'invalid_token')
  })

  test('user access tokens are refused', async () => {
    const token = mintUserToken(world, world.users.alice)
    expectOAuthError(await userinfo(`Bearer ${token}`), 401, 'invalid_token', /Only OAuth/)
    const whoami = await client.get('/api/whoami-v2', { authorization: `Bearer ${token}` })
    expect(whoami.json()).toMatchObject({ auth: { type: 'access_token' } })
  })
})
