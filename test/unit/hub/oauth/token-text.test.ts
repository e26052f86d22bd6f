import { beforeEach, describe, expect, test } from 'vitest'
import { identifyBasic, identifyBearer } from '../../../../server/hub/oauth/identify.ts'
import { mintToken } from '../../../../server/hub/oauth/mint-token.ts'
import { issueTokens, type TokenGrant } from '../../../../server/hub/oauth/tokens.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'
import { testStart } from '../../../worlds/settings.ts'

let world: TestWorld
beforeEach(async () => {
  world = await createTestDeps()
})

async function issue(grant: Partial<TokenGrant> = {}): Promise<string> {
  const { deps, users, apps } = world
  const response = await issueTokens(deps, {
    app: apps.public,
    userId: users.alice.id,
    grant: 'authorization_code',
    scopes: ['openid', 'profile'],
    organizationIds: [],
    familyId: '01234567-89ab-4def-8123-456789abcdef',
    refreshable: false,
    ...grant,
  })
  return response.access_token
}

const partsOf = (token: string) => token.replace('hf_oauth_sandbox_', '').split('.')
const read = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown

describe('access tokens of apps', () => {
  test.each([
    'authorization_code',
    'refresh_token',
    'device_code',
    'token_exchange',
    'minted',
  ] as const)('have the shape of the hub when issued by %s', async (grant) => {
    const token = await issue({ grant })
    expect(token).toMatch(/^hf_oauth_sandbox_eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{86}$/)
    expect(token.length).toBeGreaterThanOrEqual(400)
    expect(token.length).toBeLessThanOrEqual(700)
    const [header, payload] = partsOf(token)
    expect(read(header)).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(read(payload)).toEqual({
      scope: ['openid', 'profile'],
      aud: 'http://localhost:7420',
      oauthApp: world.apps.public.id,
      sessionId: '0123456789ab4def81234567',
      iat: testStart / 1000,
      exp: testStart / 1000 + 28_800,
      sub: world.users.alice.id,
      iss: 'http://localhost:7420',
    })
  })

  test('tokens are longer with more scopes', async () => {
    const few = await issue({ scopes: ['openid'] })
    expect((await issue({ scopes: ['openid', 'profile', 'read-repos'] })).length).toBeGreaterThan(
      few.length,
    )
  })

  test('tokens have the times of ID tokens when the clock is ahead', async () => {
    world.clock.advance(8 * 3_600_000)
    expect(read(partsOf(await issue())[1])).toMatchObject({ iat: testStart / 1000 })
  })

  test('a token with other claims is unknown, whatever its signature', async () => {
    const token = await issue()
    expect(identifyBearer(world.deps, `Bearer ${token}`).kind).toBe('token')
    const basic = Buffer.from(`any:${token}`).toString('base64')
    expect(identifyBasic(world.deps, `Basic ${basic}`).kind).toBe('token')
    const [header, payload, signature] = partsOf(token)
    const admin = { ...(read(payload) as object), scope: ['write-repos'] }
    const forged = Buffer.from(JSON.stringify(admin)).toString('base64url')
    expect(() =>
      identifyBearer(world.deps, `Bearer hf_oauth_sandbox_${header}.${forged}.${signature}`),
    ).toThrow(expect.objectContaining({ code: 'invalid_token' }))
  })

  test('tokens issued at the same time to the same user differ', async () => {
    expect(await issue()).not.toBe(await issue())
  })
})

test('user tokens have 34 letters or digits that begin with sandbox', async () => {
  const { access_token: token } = await mintToken(world.deps, { user: 'alice', role: 'read' })
  expect(token).toMatch(/^hf_sandbox[A-Za-z0-9]{27}$/)
  expect(token.slice('hf_'.length)).toHaveLength(34)
})
