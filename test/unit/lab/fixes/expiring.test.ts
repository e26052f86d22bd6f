import { beforeEach, describe, expect, test } from 'vitest'
import { describeExpiring } from '../../../../server/lab/fixes/expiring.ts'
import type { FixDeps } from '../../../../server/lab/fixes/offer.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'
import { testStart } from '../../../worlds/settings.ts'

let world: TestWorld
let deps: FixDeps
beforeEach(async () => {
  world = await createTestDeps()
  deps = { ...world.deps, engine: { idle: async () => true } }
})

const until = testStart + 60_000

function token(expiresAt: number, changes: { scopes?: string[]; revokedAt?: number } = {}) {
  world.state.tokens.put({
    id: deps.ids.objectId(),
    token: `hf_oauth_sandbox_${deps.ids.alphanumeric(32)}`,
    kind: 'oauth',
    userId: world.users.alice.id,
    clientId: world.apps.public.id,
    grant: 'authorization_code',
    scopes: ['profile'],
    organizationIds: [],
    createdAt: testStart,
    expiresAt,
    ...changes,
  })
}

describe('what ends when the clock goes on', () => {
  test('is nothing where nothing ends by then', () => {
    token(until + 1)
    token(testStart)
    token(until, { revokedAt: testStart })
    expect(describeExpiring(deps, until)).toEqual([])
  })

  test('is told by kind, counted and named', () => {
    token(until)
    token(testStart + 1)
    const shared = { clientId: world.apps.public.id, createdAt: testStart, scopes: [] }
    const code = {
      ...shared,
      userId: world.users.bob.id,
      redirectUri: 'http://localhost/',
      organizationIds: [],
      authTime: testStart,
      expiresAt: until,
      familyId: 'family',
    }
    world.state.codes.put({ ...code, id: 'code' })
    world.state.codes.put({ ...code, id: 'used', usedAt: testStart })
    const device = { ...shared, organizationIds: [], expiresAt: until }
    for (const status of ['pending', 'denied', 'consumed'] as const) {
      world.state.deviceAuthorizations.put({
        ...device,
        id: status,
        userCode: `CODE-${status}`,
        status,
      })
    }
    world.state.sessions.put({
      id: 'session',
      userId: world.users.bob.id,
      createdAt: testStart,
      expiresAt: until,
    })
    world.state.links.put({
      id: deps.ids.objectId(),
      port: 4000,
      hosted: false,
      expiresAt: until,
    })
    expect(describeExpiring(deps, until)).toEqual([
      '2 access tokens expire: alice at Public app.',
      '1 authorization code expires: Public app.',
      '1 device code expires: CODE-pending.',
      '1 sign-in of a browser expires: bob.',
      '1 link expires: port 4000.',
    ])
  })

  test('leaves out ID tokens, which clients check by real time', () => {
    token(testStart + 8 * 3_600_000, { scopes: ['openid'] })
    const hour = testStart + deps.settings.lifetimes.idTokenMs
    expect(describeExpiring(deps, hour)).toEqual([])
  })

  test('names a few of many', () => {
    for (let index = 0; index < 7; index += 1) {
      const owner = world.user(`user-${index}`)
      world.state.sessions.put({
        id: `session-${index}`,
        userId: owner.id,
        createdAt: testStart,
        expiresAt: until,
      })
    }
    expect(describeExpiring(deps, until)).toEqual([
      '7 sign-ins of browsers expire: user-0, user-1, user-2, user-3, user-4 and others.',
    ])
  })
})
