import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { testApp } from '../helpers/app.ts'
import { type Caller, callerWith } from '../helpers/cast.ts'

const world = testApp()
const { as, client } = world

const whoami = (user: Caller, session = {}) => user.get('/api/whoami-v2', undefined, session)

describe('whoami', () => {
  test('shows the owner of a user access token everything', async () => {
    const answer = await whoami(as('alice', { name: 'laptop' }))
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toEqual({
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
    const answer = await whoami(as('alice'))
    expect(answer.body).toMatchObject({ canPay: false, billingMode: 'prepaid', periodEnd: null })
  })

  test('shows an app what its scopes allow', async () => {
    const shown = async (scope: string) => {
      const { access_token: token } = await client.signInTo(world.apps.public, 'alice', scope)
      return (await whoami(callerWith(world, token))).body
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
    const app = callerWith(world, access_token)
    const userinfo = await app.get('/oauth/userinfo')
    // There, `name` is the user name.
    expect((await whoami(app)).body).not.toHaveProperty('fullname')
    for (const claims of [userinfo.body, decodeJwt(id_token ?? '')]) {
      expect(claims).not.toHaveProperty('fullname')
      expect(claims).not.toHaveProperty('name')
    }
    expect(userinfo.body).toMatchObject({ preferred_username: 'alice' })
  })

  test('refuses a request without a token with the message of the hub', async () => {
    const answer = await whoami(as())
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: 'Invalid username or password.' })
    expect(answer.headers['x-error-message']).toBe('Invalid username or password.')
    // No error is named to who sent no credentials (RFC 6750 §3).
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="hub-sandbox"')
  })

  test.each([
    ['unknown', () => callerWith(world, 'hf_unknown')],
    ['expired', () => as('alice', { expiresAt: world.clock.now() })],
    ['revoked', () => as('alice', { revokedAt: world.clock.now() })],
    ['orphaned', () => as('alice', { userId: world.deps.ids.objectId() })],
  ])('refuses an %s token with the message that clients compare', async (_name, make) => {
    const answer = await whoami(make())
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ error: 'Invalid credentials in Authorization header' })
    expect(answer.headers).toMatchObject({
      'www-authenticate': 'Bearer realm="hub-sandbox", error="invalid_token"',
      'x-error-message': 'Invalid credentials in Authorization header',
    })
  })

  test('uses the token if there is also a session', async () => {
    const session = await client.signIn('bob')
    const answer = await whoami(as('alice'), session)
    expect(answer.body).toMatchObject({ name: 'alice' })
    expect((await whoami(callerWith(world, 'hf_unknown'), session)).status).toBe(401)
  })

  test('records the reason in the request log', async () => {
    await whoami(as('alice', { expiresAt: world.clock.now() - 1000 }))
    const [record] = world.requests.values()
    expect(record).toMatchObject({ status: 401, error: 'invalid_token' })
    expect(record?.detail).toBe('the token expired at 2026-01-15T11:59:59.000Z')
  })
})

test('the first version of whoami is refused whatever the token', async () => {
  for (const user of [as(), as('alice')]) {
    const { status, body } = await user.get('/api/whoami')
    expect([status, body]).toEqual([401, { error: 'Invalid username or password.' }])
  }
})
