import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { issueTokens, type TokenGrant } from '../../../../server/hub/oauth/tokens.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'
import { testStart } from '../../../worlds/settings.ts'

const hourMs = 3_600_000
const startSeconds = testStart / 1000

let world: TestWorld
beforeEach(async () => {
  world = await createTestDeps()
})

async function issue(grant: Partial<TokenGrant> = {}) {
  const { deps, users, apps } = world
  const { id_token: idToken = '', expires_in: expiresIn } = await issueTokens(deps, {
    app: apps.public,
    userId: users.alice.id,
    grant: 'authorization_code',
    scopes: ['openid'],
    organizationIds: [],
    refreshable: false,
    authTime: deps.clock.now(),
    ...grant,
  })
  return { claims: decodeJwt<{ auth_time?: number }>(idToken), expiresIn }
}

describe('times in an ID token', () => {
  test('times are those of the sandbox clock while it equals real time', async () => {
    const { claims } = await issue({ authTime: testStart - 5_000 })
    expect(claims).toMatchObject({
      iat: startSeconds,
      exp: startSeconds + 3_600,
      auth_time: startSeconds - 5,
    })
  })

  test.each([hourMs / 60, 8 * hourMs, 30 * 24 * hourMs])(
    'times are never later than real time when the clock is %i ms ahead',
    async (aheadMs) => {
      world.clock.advance(aheadMs)
      world.elapse(2_000)
      const { claims } = await issue()
      expect(claims).toMatchObject({
        iat: startSeconds + 2,
        exp: startSeconds + 2 + 3_600,
        auth_time: startSeconds + 2,
      })
    },
  )

  test('auth_time stays the time of the sign-in when a token is refreshed', async () => {
    const signedIn = world.clock.now()
    world.clock.advance(8 * hourMs)
    world.elapse(60_000)
    const { claims } = await issue({ grant: 'refresh_token', authTime: signedIn })
    expect(claims).toMatchObject({ iat: startSeconds + 60, auth_time: startSeconds })
  })

  test('auth_time is never later than iat when the clock went back after the sign-in', async () => {
    const { claims } = await issue({ authTime: testStart + 8 * hourMs })
    expect(claims.auth_time).toBe(claims.iat)
  })

  test.each(['set', 'freeze'] as const)(
    'times are those of the sandbox clock when it is behind real time (%s)',
    async (way) => {
      world.clock[way](testStart - 24 * hourMs)
      const { claims } = await issue()
      const issued = startSeconds - 24 * 3_600
      expect(claims).toMatchObject({ iat: issued, exp: issued + 3_600, auth_time: issued })
    },
  )

  test('the access token expires by the sandbox clock', async () => {
    world.clock.advance(8 * hourMs)
    const { expiresIn } = await issue()
    const [token] = [...world.state.tokens.values()].filter(({ kind }) => kind === 'oauth')
    expect(token?.expiresAt).toBe(testStart + 8 * hourMs + expiresIn * 1000)
  })
})
