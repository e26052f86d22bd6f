import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { createOAuthClient } from '../helpers/oauth-client.ts'

let world: TestApp
let client: ReturnType<typeof createOAuthClient>
beforeEach(async () => {
  world = await buildTestApp()
  client = createOAuthClient(world.server)
})

const whoami = (headers: Record<string, string>) => client.get('/api/whoami-v2', headers)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

function userToken(more: Partial<AccessToken> = {}): string {
  return world.state.tokens.put({
    id: world.deps.ids.objectId(),
    token: `hf_sandbox_${world.deps.ids.alphanumeric(24)}`,
    kind: 'user',
    role: 'write',
    name: 'laptop',
    userId: world.users.alice.id,
    createdAt: world.clock.now(),
    scopes: [],
    organizationIds: [],
    ...more,
  }).token
}

describe('whoami', () => {
  test('shows the owner of a user access token everything', async () => {
    const answer = await whoami(bearer(userToken()))
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      type: 'user',
      id: world.users.alice.id,
      name: 'alice',
      fullname: 'Alice Example',
      avatarUrl: '/avatars/alice.svg',
      isPro: true,
      email: 'alice@example.com',
      emailVerified: true,
      canPay: true,
      billingMode: 'postpaid',
      periodEnd: Date.UTC(2026, 1) / 1000,
      orgs: [
        {
          type: 'org',
          id: world.organizations.acme.id,
          name: 'acme',
          fullname: 'acme Inc.',
          avatarUrl: '/avatars/acme.svg',
          plan: 'enterprise',
          canPay: true,
          billingMode: 'postpaid',
          periodEnd: Date.UTC(2026, 1) / 1000,
          roleInOrg: 'admin',
          resourceGroups: [],
        },
      ],
      auth: {
        type: 'access_token',
        accessToken: {
          displayName: 'laptop',
          role: 'write',
          createdAt: '2026-01-15T12:00:00.000Z',
        },
      },
    })
  })

  test('tells how the account pays', async () => {
    world.state.users.put({ ...world.users.alice, canPay: false, billingMode: 'prepaid' })
    const answer = await whoami(bearer(userToken()))
    expect(answer.json()).toMatchObject({ canPay: false, billingMode: 'prepaid', periodEnd: null })
  })

  test('shows an app what its scopes allow', async () => {
    const shown = async (scope: string) => {
      const { access_token: token } = await client.signInTo(world.apps.public, 'alice', scope)
      return (await whoami(bearer(token))).json<object>()
    }
    const least = {
      type: 'user',
      id: world.users.alice.id,
      name: 'alice',
      isPro: true,
      orgs: [],
      auth: { type: 'oauth', expiresAt: '2026-01-15T20:00:00.000Z' },
    }
    expect(await shown('openid')).toEqual(least)
    const profile = { fullname: 'Alice Example', avatarUrl: '/avatars/alice.svg' }
    expect(await shown('openid profile')).toEqual({
      ...least,
      ...profile,
      orgs: [expect.objectContaining({ name: 'acme' })],
    })
  })

  test('has no full name for a user without one, as the claims have no name', async () => {
    world.state.users.put({ ...world.users.alice, fullname: '' })
    const { access_token, id_token } = await client.signInTo(
      world.apps.public,
      'alice',
      'openid profile',
    )
    const userinfo = await client.get('/oauth/userinfo', bearer(access_token))
    // There, `name` is the user name.
    expect((await whoami(bearer(access_token))).json()).not.toHaveProperty('fullname')
    for (const claims of [userinfo.json<object>(), decodeJwt(id_token ?? '')]) {
      expect(claims).not.toHaveProperty('fullname')
      expect(claims).not.toHaveProperty('name')
    }
    expect(userinfo.json()).toMatchObject({ preferred_username: 'alice' })
  })

  test('refuses a request without a token with the message of the hub', async () => {
    const answer = await whoami({})
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ error: 'Invalid username or password.' })
    expect(answer.headers['x-error-message']).toBe('Invalid username or password.')
    // No error is named to who sent no credentials (RFC 6750 §3).
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="hub-sandbox"')
  })

  test.each([
    ['unknown', () => 'hf_unknown'],
    ['expired', () => userToken({ expiresAt: world.clock.now() })],
    ['revoked', () => userToken({ revokedAt: world.clock.now() })],
    ['orphaned', () => userToken({ userId: world.deps.ids.objectId() })],
  ])('refuses an %s token with the message that clients compare', async (_name, make) => {
    const answer = await whoami(bearer(make()))
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toEqual({ error: 'Invalid credentials in Authorization header' })
    expect(answer.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="hub-sandbox", error="invalid_token"',
      'x-error-message': 'Invalid credentials in Authorization header',
    })
  })

  test('uses the token if there is also a session', async () => {
    const session = await client.signIn('bob')
    const answer = await whoami({ ...session, ...bearer(userToken()) })
    expect(answer.json()).toMatchObject({ name: 'alice' })
    expect((await whoami({ ...session, ...bearer('hf_unknown') })).statusCode).toBe(401)
  })

  test('records the reason in the request log', async () => {
    const token = userToken({ expiresAt: world.clock.now() - 1000 })
    await whoami(bearer(token))
    const [record] = world.requests.values()
    expect(record).toMatchObject({ status: 401, error: 'invalid_token' })
    expect(record?.detail).toBe('the token expired at 2026-01-15T11:59:59.000Z')
  })
})
