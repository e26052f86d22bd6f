import { beforeEach, describe, expect, test } from 'vitest'
import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import { buildTestApp, type TestApp } from '../helpers/app.ts'
import { basic, createOAuthClient } from '../helpers/oauth-client.ts'
import { mintUserToken } from '../helpers/user-token.ts'

let world: TestApp
let client: ReturnType<typeof createOAuthClient>
beforeEach(async () => {
  world = await buildTestApp()
  client = createOAuthClient(world.server)
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  world.server.inject({ method: 'POST', url, payload, headers })

describe('audit log export', () => {
  const exchange = (email: string, userAgent: string) =>
    client.token(
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: email,
        subject_token_type: 'urn:service:token-type:user-email',
        scope: 'openid',
      },
      { ...basic(world.apps.exchange, world.clientSecret), 'user-agent': userAgent },
    )
  const read = (headers: Record<string, string>, query = '', name = 'ACME') =>
    client.get(`/api/organizations/${name}/audit-log/export${query}`, headers)

  test('is sent as an attachment', async () => {
    const answer = await read(bearer(mintUserToken(world, world.users.alice)))
    expect(answer.headers['content-disposition']).toMatch(/^attachment; .*acme-audit-log\.json/i)
  })

  test('names a deleted author as the hub does, with all fields', async () => {
    await exchange('bob@example.com', 'backend/1')
    world.state.users.delete(world.users.bob.id)
    const [row] = (await read(bearer(mintUserToken(world, world.users.alice)))).json()
    expect(row.author).toEqual({
      type: 'user',
      _id: world.users.bob.id,
      user: 'deleted',
      avatarUrl: 'http://localhost/avatars/deleted.svg',
      deleted: true,
    })
  })

  test('shows every exchange, newest first', async () => {
    await exchange('bob@example.com', 'backend/1')
    world.clock.advance(1000)
    await exchange('carol@example.com', 'backend/2')
    const answer = await read(bearer(mintUserToken(world, world.users.alice)))
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual([
      {
        _id: expect.stringMatching(/^[\da-f]{24}$/),
        createdAt: '2026-01-15T12:00:01.000Z',
        type: 'oauth.token',
        message: 'Refused a token: The user is not found in the bound organization.',
        author: {
          type: 'system',
          _id: '0'.repeat(24),
          user: 'system',
          avatarUrl: 'http://localhost/avatars/system.svg',
        },
        data: { outcome: 'refused', error: 'invalid_grant', email: 'carol@example.com' },
        ip: '127.0.0.1',
        userAgent: 'backend/2',
        oauth: { clientId: world.apps.exchange.id, name: 'Exchange app' },
      },
      {
        _id: expect.any(String),
        createdAt: '2026-01-15T12:00:00.000Z',
        type: 'oauth.token',
        message: 'Issued a token for bob@example.com',
        author: {
          type: 'user',
          _id: world.users.bob.id,
          user: 'bob',
          avatarUrl: 'http://localhost/avatars/bob.svg',
        },
        data: {
          outcome: 'granted',
          email: 'bob@example.com',
          scope: 'openid',
          expiresIn: 28_800,
        },
        ip: '127.0.0.1',
        userAgent: 'backend/1',
        oauth: { clientId: world.apps.exchange.id, name: 'Exchange app' },
      },
    ])
  })

  test.each([
    ['?q=author:bob', 1],
    ['?q=author:bob+type:oauth.token+ip:127.0.0.1', 1],
    ['?q=author:alice+author:bob', 1],
    ['?q=type:org.rename', 0],
    ['', 2],
  ])('filters by %s', async (query, count) => {
    await exchange('bob@example.com', 'x')
    await exchange('carol@example.com', 'x')
    const session = await client.signIn('alice')
    expect((await read(session, query)).json()).toHaveLength(count)
  })

  test.each(['?q=who:bob', '?q=bob', '?q=author:a&q=author:b'])(
    'refuses the filter %s',
    async (query) => {
      const answer = await read(await client.signIn('alice'), query)
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({ error: expect.any(String) })
    },
  )

  test('requires an administrator, and refuses OAuth tokens', async () => {
    expect((await read({})).statusCode).toBe(401)
    expect((await read(bearer(mintUserToken(world, world.users.bob)))).statusCode).toBe(403)
    expect((await read(bearer(mintUserToken(world, world.users.carol)))).statusCode).toBe(403)
    const { access_token: token } = await client.signInTo(world.apps.public, 'alice')
    expect((await read(bearer(token))).statusCode).toBe(403)
    expect(
      (await read(bearer(mintUserToken(world, world.users.alice)), '', 'nobody')).statusCode,
    ).toBe(404)
  })

  test('requires a user access token with the right, not revoked by the organization', async () => {
    const acmeId = world.organizations.acme.id
    const statusFor = async (changes: Partial<AccessToken>) => {
      const token = mintUserToken(world, world.users.alice)
      const stored = world.state.tokens.find('token', token)!
      world.state.tokens.put({ ...stored, ...changes })
      return (await read(bearer(token))).statusCode
    }
    const scoped = (permission: string) => [
      { entity: { _id: acmeId, type: 'org' }, permissions: [permission] },
    ]
    expect(await statusFor({ role: 'read' })).toBe(200)
    expect(await statusFor({ revokedForOrganizationIds: [acmeId] })).toBe(403)
    const fineGrained = (permission: string) =>
      statusFor({ role: 'fineGrained', fineGrained: { scoped: scoped(permission) } })
    expect(await fineGrained('org.read')).toBe(200)
    expect(await fineGrained('repo.write')).toBe(403)
  })
})

describe('revocation by an organization', () => {
  const revoke = (token: unknown, headers: Record<string, string>, name = 'acme') =>
    post(`/api/organizations/${name}/settings/tokens/revoke`, { token }, headers)

  test('revokes a token for the organization only', async () => {
    const token = mintUserToken(world, world.users.bob)
    const answer = await revoke(token, bearer(mintUserToken(world, world.users.alice)))
    expect(answer.statusCode).toBe(200)
    const { orgs } = (await client.get('/api/whoami-v2', bearer(token))).json<{
      orgs: { name: string; securityRestrictions?: string[] }[]
    }>()
    expect(orgs.find(({ name }) => name === 'acme')?.securityRestrictions).toEqual([
      'token-revoked',
    ])
    expect(orgs.find(({ name }) => name === 'labs')).not.toHaveProperty('securityRestrictions')
    expect(world.state.auditRows.last()).toMatchObject({
      authorId: world.users.alice.id,
      organizationId: world.organizations.acme.id,
    })
  })

  test('a second organization revokes a token without lifting the first revocation', async () => {
    const { labs } = world.organizations
    const { alice, bob } = world.users
    const members = [...labs.members, { userId: alice.id, role: 'admin' as const }]
    world.state.organizations.put({ ...labs, members, plan: 'plus' })
    const admin = bearer(mintUserToken(world, alice))
    const token = mintUserToken(world, bob)
    for (const name of ['acme', 'labs']) {
      expect((await revoke(token, admin, name)).statusCode).toBe(200)
    }
    const { orgs } = (await client.get('/api/whoami-v2', bearer(token))).json<{
      orgs: { name: string; securityRestrictions?: string[] }[]
    }>()
    const restrictionsOf = (name: string) =>
      orgs.find((org) => org.name === name)?.securityRestrictions
    expect(['acme', 'labs'].map(restrictionsOf)).toEqual([['token-revoked'], ['token-revoked']])
  })

  test('refuses every other case', async () => {
    const admin = bearer(mintUserToken(world, world.users.alice))
    const token = mintUserToken(world, world.users.bob)
    expect((await revoke(token, {})).statusCode).toBe(401)
    expect((await revoke(token, bearer(mintUserToken(world, world.users.bob)))).statusCode).toBe(
      403,
    )
    const readOnly = mintUserToken(world, world.users.alice)
    world.state.tokens.put({ ...world.state.tokens.find('token', readOnly)!, role: 'read' })
    expect((await revoke(token, bearer(readOnly))).statusCode).toBe(403)
    expect((await revoke('hf_unknown', admin)).statusCode).toBe(404)
    expect((await revoke(mintUserToken(world, world.users.carol), admin)).statusCode).toBe(404)
    expect((await revoke(mintUserToken(world, world.users.alice), admin)).statusCode).toBe(400)
    expect((await revoke(7, admin)).statusCode).toBe(400)
    const { labs } = world.organizations
    const members = labs.members.map((member) => ({ ...member, role: 'admin' as const }))
    world.state.organizations.put({ ...labs, members })
    const unpaid = await revoke(token, bearer(mintUserToken(world, world.users.bob)), 'labs')
    expect(unpaid.statusCode).toBe(402)
  })
})

describe('revocation of leaked credentials', () => {
  const report = (credentials: unknown) => post('/api/credentials/revoke', { credentials })

  test('returns the same response for any report, and revokes existing tokens', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = await client.signInTo(
      world.apps.public,
      'alice',
    )
    const other = await client.signInTo(world.apps.public, 'bob')
    const user = mintUserToken(world, world.users.carol)
    for (const list of [['hf_unknown'], [user, 7, other.access_token], [refreshToken], []]) {
      const answer = await report(list)
      expect(answer.statusCode).toBe(202)
      expect(answer.json()).toEqual({})
    }
    for (const token of [accessToken, user, other.access_token]) {
      expect((await client.get('/api/whoami-v2', bearer(token))).statusCode).toBe(401)
    }
  })

  test('refuses a body that is not a list', async () => {
    expect((await report('hf_x')).statusCode).toBe(400)
    expect((await post('/api/credentials/revoke', [])).statusCode).toBe(400)
  })
})
