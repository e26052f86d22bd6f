import { describe, expect, test } from 'vitest'
import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import { testApp } from '../helpers/app.ts'
import { type Caller, callerOf, callerWith } from '../helpers/cast.ts'
import { basic } from '../helpers/oauth-client.ts'
import { mintUserToken } from '../helpers/user-token.ts'

interface WhoAmI {
  orgs: { name: string; securityRestrictions?: string[] }[]
}

const world = testApp()
const { as, client } = world

describe('audit log export', () => {
  const exchange = (email: string, userAgent: string) =>
    client.exchange(
      email,
      { ...basic(world.apps.exchange, world.clientSecret), 'user-agent': userAgent },
      { scope: 'openid' },
    )
  const read = (user: Caller, query = '', name = 'ACME') =>
    user.get<{ author: object }[]>(`/api/organizations/${name}/audit-log/export${query}`)

  test('is sent as an attachment', async () => {
    const answer = await read(as('alice'))
    expect(answer.headers['content-disposition']).toMatch(/^attachment; .*acme-audit-log\.json/i)
  })

  test('names a deleted author as the hub does, with all fields', async () => {
    await exchange('bob@example.com', 'backend/1')
    world.state.users.delete(world.users.bob.id)
    const [row] = (await read(as('alice'))).body
    expect(row?.author).toEqual({
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
    const answer = await read(as('alice'))
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
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
    expect((await read(callerOf(world, session), query)).body).toHaveLength(count)
  })

  test.each(['?q=who:bob', '?q=bob', '?q=author:a&q=author:b'])(
    'refuses the filter %s',
    async (query) => {
      const answer = await read(callerOf(world, await client.signIn('alice')), query)
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({ error: expect.any(String) })
    },
  )

  test('requires an administrator, and refuses OAuth tokens', async () => {
    expect((await read(as())).status).toBe(401)
    expect((await read(as('bob'))).status).toBe(403)
    expect((await read(as('carol'))).status).toBe(403)
    const { access_token: token } = await client.signInTo(world.apps.public, 'alice')
    expect((await read(callerWith(world, token))).status).toBe(403)
    expect((await read(as('alice'), '', 'nobody')).status).toBe(404)
  })

  test('requires a user access token with the right, not revoked by the organization', async () => {
    const acmeId = world.organizations.acme.id
    const statusFor = async (token: Partial<AccessToken>) => (await read(as('alice', token))).status
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
  const revoke = (token: unknown, user = as('alice'), name = 'acme') =>
    user.post(`/api/organizations/${name}/settings/tokens/revoke`, { token })
  const organizationsOf = async (token: string) =>
    (await callerWith(world, token).get<WhoAmI>('/api/whoami-v2')).body.orgs

  test('revokes a token for the organization only', async () => {
    const token = mintUserToken(world, world.users.bob)
    expect((await revoke(token)).status).toBe(200)
    const orgs = await organizationsOf(token)
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
    const admin = as('alice')
    const token = mintUserToken(world, bob)
    for (const name of ['acme', 'labs']) {
      expect((await revoke(token, admin, name)).status).toBe(200)
    }
    const orgs = await organizationsOf(token)
    const restrictionsOf = (name: string) =>
      orgs.find((org) => org.name === name)?.securityRestrictions
    expect(['acme', 'labs'].map(restrictionsOf)).toEqual([['token-revoked'], ['token-revoked']])
  })

  test('takes the id of a token, which an administrator sees', async () => {
    const token = mintUserToken(world, world.users.bob)
    const revokeById = (id: string, user = as('alice')) =>
      user.post(`/api/organizations/acme/settings/tokens/${id}/revoke`)
    const { id = '' } = world.state.tokens.find('token', token) ?? {}
    expect((await revokeById(id, as('bob'))).status).toBe(403)
    expect((await revokeById(token)).status).toBe(404)
    expect((await revokeById(id)).body).toEqual({ success: true })
    expect((await organizationsOf(token)).find(({ name }) => name === 'acme')).toMatchObject({
      securityRestrictions: ['token-revoked'],
    })
    expect(world.state.auditRows.last()).toMatchObject({ tokenId: id })
  })

  test('refuses every other case', async () => {
    const token = mintUserToken(world, world.users.bob)
    expect((await revoke(token, as())).status).toBe(401)
    expect((await revoke(token, as('bob'))).status).toBe(403)
    expect((await revoke(token, as('alice', { role: 'read' }))).status).toBe(403)
    expect((await revoke('hf_unknown')).status).toBe(404)
    expect((await revoke(mintUserToken(world, world.users.carol))).status).toBe(404)
    expect((await revoke(mintUserToken(world, world.users.alice))).status).toBe(400)
    expect((await revoke(7)).status).toBe(400)
    const { labs } = world.organizations
    const members = labs.members.map((member) => ({ ...member, role: 'admin' as const }))
    world.state.organizations.put({ ...labs, members })
    expect((await revoke(token, as('bob'), 'labs')).status).toBe(402)
  })
})

describe('revocation of leaked credentials', () => {
  const report = (credentials: unknown) => as().post('/api/credentials/revoke', { credentials })

  test('returns the same response for any report, and revokes existing tokens', async () => {
    const { access_token: accessToken, refresh_token: refreshToken } = await client.signInTo(
      world.apps.public,
      'alice',
    )
    const other = await client.signInTo(world.apps.public, 'bob')
    const user = mintUserToken(world, world.users.carol)
    for (const list of [['hf_unknown'], [user, 7, other.access_token], [refreshToken], []]) {
      const answer = await report(list)
      expect(answer.status).toBe(202)
      expect(answer.body).toEqual({})
    }
    for (const token of [accessToken, user, other.access_token]) {
      expect((await callerWith(world, token).get('/api/whoami-v2')).status).toBe(401)
    }
  })

  test('refuses a body that is not a list', async () => {
    expect((await report('hf_x')).status).toBe(400)
    expect((await as().post('/api/credentials/revoke', [])).status).toBe(400)
  })
})
