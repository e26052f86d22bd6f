import { beforeEach, describe, expect, test } from 'vitest'
import { avatarSvg } from '../../../server/hub/files/avatar.ts'
import { buildIdentityClaims, buildUserinfo } from '../../../server/hub/oauth/userinfo.ts'
import { buildWhoami } from '../../../server/hub/access/whoami.ts'
import type { AccessToken } from '../../../server/store/entities/oauth-entities.ts'
import { createHubWorld, type HubWorld, start } from './hub-world.ts'

let world: HubWorld

beforeEach(async () => {
  world = await createHubWorld()
})

type Username = keyof HubWorld['users']

function oauth(name: Username, scope: string, more: Partial<AccessToken> = {}): AccessToken {
  return world.token(world.users[name], {
    kind: 'oauth',
    clientId: 'app',
    scopes: scope.split(' ').filter(Boolean),
    ...more,
  })
}

function whoami(token: AccessToken) {
  const user = world.state.users.get(token.userId)!
  return buildWhoami(world.deps, { kind: 'token', user, token })
}

describe('whoami', () => {
  test('a session gets every field', () => {
    const answer = buildWhoami(world.deps, { kind: 'session', user: world.users.alice })
    expect(answer).toMatchObject({ email: 'alice@example.com', canPay: true })
    expect(answer.orgs).toMatchObject([{ canPay: true, roleInOrg: 'admin' }])
    expect(answer.auth).toEqual({ type: 'session' })
  })

  test('describes a user access token', () => {
    const token = world.token(world.users.dave, { role: 'write', name: 'laptop' })
    expect(whoami(token)).toMatchObject({
      email: 'dave@example.com',
      canPay: false,
      billingMode: 'postpaid',
      periodEnd: null,
      orgs: [],
      auth: {
        type: 'access_token',
        accessToken: {
          displayName: 'laptop',
          role: 'write',
          createdAt: new Date(start).toISOString(),
        },
      },
    })
  })

  test('an app without scopes gets the fewest fields', () => {
    const answer = whoami(oauth('alice', '', { expiresAt: start + 1000 }))
    expect(Object.keys(answer).toSorted()).toEqual(
      ['auth', 'id', 'isPro', 'name', 'orgs', 'type'].toSorted(),
    )
    expect(answer.orgs).toEqual([])
    expect(answer.auth).toEqual({
      type: 'oauth',
      expiresAt: new Date(start + 1000).toISOString(),
    })
  })

  test('each scope adds fields', () => {
    expect(whoami(oauth('alice', 'email'))).toMatchObject({ emailVerified: true })
    expect(whoami(oauth('alice', 'read-billing'))).toMatchObject({ canPay: true })
    const basic = whoami(oauth('alice', 'profile')).orgs[0]
    expect(basic).toMatchObject({ name: 'acme', plan: 'enterprise' })
    expect(basic).not.toHaveProperty('roleInOrg')
    const member = whoami(oauth('alice', 'read-memberships read-billing')).orgs[0]
    expect(member).toMatchObject({ roleInOrg: 'admin' })
    expect(member).not.toHaveProperty('canPay')
  })

  test('an exchanged token gets its organization only', () => {
    const { acme } = world.organizations
    const answer = whoami(
      oauth('bob', 'profile read-memberships', {
        organizationIds: [acme.id],
        boundOrganizationId: acme.id,
      }),
    )
    expect(answer.orgs.map(({ name }) => name)).toEqual(['acme'])
    expect(answer.auth.resource).toEqual({ sub: acme.id })
  })

  test('a fine-grained token gets its entities only', () => {
    const { labs } = world.organizations
    const permissions = ['repo.content.read', 'user.billing.read']
    const fineGrained = { scoped: [{ entity: { _id: labs.id, type: 'org' }, permissions }] }
    const answer = whoami(world.token(world.users.bob, { role: 'fineGrained', fineGrained }))
    expect(answer.auth.accessToken).toMatchObject({ role: 'fineGrained', fineGrained })
    expect(answer.orgs.map(({ name, canPay }) => [name, canPay])).toEqual([
      ['acme', undefined],
      ['labs', false],
    ])
  })

  test('restrictions of a member are listed', () => {
    const { labs } = world.organizations
    world.state.organizations.put({
      ...labs,
      securityRestrictions: [{ type: 'sso' }, { type: 'mfa', userIds: [world.users.carol.id] }],
    })
    const token = world.token(world.users.bob, {
      role: 'write',
      revokedForOrganizationIds: [labs.id],
    })
    expect(whoami(token).orgs[1]).toMatchObject({
      securityRestrictions: ['sso', 'token-revoked'],
      pendingSSO: true,
    })
    expect(whoami(token).orgs[1]).not.toHaveProperty('missingMFA')
    expect(whoami(token).orgs[0]).not.toHaveProperty('securityRestrictions')
  })
})

describe('userinfo (OpenID Connect Core §5.3)', () => {
  test('organizations are listed under both names, in detail where granted', () => {
    const { acme, labs } = world.organizations
    world.state.organizations.put({
      ...acme,
      resourceGroups: [
        {
          id: 'a'.repeat(24),
          name: 'inner',
          members: [{ userId: world.users.bob.id, role: 'read' }],
        },
      ],
    })
    const token = oauth('bob', 'openid profile read-billing', { organizationIds: [acme.id] })
    const answer = buildUserinfo(world.deps, token)
    expect(answer.orgs).toEqual([
      {
        sub: acme.id,
        name: 'acme Inc.',
        preferred_username: 'acme',
        picture: 'http://localhost:7420/avatars/acme.svg',
        plan: 'enterprise',
        canPay: true,
        billingMode: 'postpaid',
        roleInOrg: 'write',
        resourceGroups: [{ sub: 'a'.repeat(24), name: 'inner', role: 'read' }],
      },
      {
        sub: labs.id,
        name: 'labs Inc.',
        preferred_username: 'labs',
        picture: 'http://localhost:7420/avatars/labs.svg',
      },
    ])
    expect(answer.organizations).toEqual(answer.orgs)
    expect(answer).toMatchObject({ isPro: false, canPay: false, billingMode: 'postpaid' })
  })

  test('an app without scopes gets the id only', () => {
    expect(buildUserinfo(world.deps, oauth('alice', ''))).toEqual({
      sub: world.users.alice.id,
      isPro: true,
      orgs: [],
      organizations: [],
    })
  })

  test('user access tokens and tokens without a user are refused', () => {
    const refusal = expect.objectContaining({ code: 'invalid_token' })
    const own = world.token(world.users.alice, { role: 'write' })
    expect(() => buildUserinfo(world.deps, own)).toThrow(refusal)
    const token = oauth('dave', 'openid')
    world.state.users.delete(world.users.dave.id)
    expect(() => buildUserinfo(world.deps, token)).toThrow(refusal)
  })
})

describe('claims of the ID token (OpenID Connect Core §5.4)', () => {
  test('claims follow the scopes', () => {
    const { alice } = world.users
    expect(buildIdentityClaims(world.deps, alice, ['openid'])).toEqual({ sub: alice.id })
    expect(buildIdentityClaims(world.deps, alice, ['openid', 'profile', 'email'])).toEqual({
      sub: alice.id,
      name: 'Alice Example',
      preferred_username: 'alice',
      profile: 'http://localhost:7420/alice',
      picture: 'http://localhost:7420/avatars/alice.svg',
      website: 'https://alice.example',
      email: 'alice@example.com',
      email_verified: true,
    })
  })

  test("the user's own avatar is a claim", () => {
    const whoami = (avatarUrl: string) =>
      buildWhoami(world.deps, {
        kind: 'session',
        user: { ...world.users.bob, avatarUrl },
      }).avatarUrl
    expect(whoami('https://img.example/b.png')).toBe('https://img.example/b.png')
    expect(whoami('/pictures/b.png')).toBe('/pictures/b.png')
    const picture = (avatarUrl: string) =>
      buildIdentityClaims(world.deps, { ...world.users.bob, avatarUrl }, ['profile']).picture
    expect(picture('https://img.example/b.png')).toBe('https://img.example/b.png')
    expect(picture('/avatars/b.svg')).toBe('http://localhost:7420/avatars/b.svg')
  })
})

describe('the generated avatar', () => {
  test('the avatar depends on the name without its case', () => {
    expect(avatarSvg('alice')).toBe(avatarSvg('Alice'))
    expect(avatarSvg('alice')).not.toBe(avatarSvg('bob'))
    expect(avatarSvg('alice')).toContain('>A</text>')
  })

  test('the avatar has no markup from the name', () => {
    expect(avatarSvg('<script>&"')).toContain('>S</text>')
    expect(avatarSvg('<&>')).toContain('>·</text>')
  })
})
