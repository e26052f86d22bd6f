import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createClock } from '../../../../server/core/clock.ts'
import { forgetExpired, keepForgetting } from '../../../../server/hub/oauth/forget.ts'
import { startSession } from '../../../../server/hub/oauth/sessions.ts'
import { createTestDeps, type TestWorld } from '../../../helpers/deps.ts'
import { testStart } from '../../../worlds/settings.ts'

vi.hoisted(() => vi.resetModules())
vi.mock('../../../../server/core/timers.ts', async (ofNode) => {
  const { presentTimers } = await import('../../../helpers/present-timers.ts')
  return presentTimers(await ofNode())
})

const day = 86_400_000

let world: TestWorld
beforeEach(async () => {
  world = await createTestDeps()
})

function putToken(more: { expiresAt?: number; revokedAt?: number }): string {
  const { deps, state, users } = world
  return state.tokens.put({
    id: deps.ids.objectId(),
    token: deps.ids.alphanumeric(20),
    kind: 'oauth',
    userId: users.alice.id,
    scopes: [],
    organizationIds: [],
    createdAt: testStart,
    ...more,
  }).id
}

function putRefreshToken(more: { usedAt?: number; revokedAt?: number }): string {
  const { deps, state, users, apps } = world
  return state.refreshTokens.put({
    id: deps.ids.alphanumeric(20),
    familyId: deps.ids.uuid(),
    clientId: apps.public.id,
    userId: users.alice.id,
    scopes: [],
    organizationIds: [],
    authTime: testStart,
    createdAt: testStart,
    ...more,
  }).id
}

describe('expired records', () => {
  test('an unused refresh token is deleted a week after its 90 days', () => {
    const { deps, state, clock } = world
    const id = putRefreshToken({})
    clock.advance(97 * day - 1)
    forgetExpired(deps)
    expect(state.refreshTokens.has(id)).toBe(true)
    clock.advance(1)
    forgetExpired(deps)
    expect(state.refreshTokens.has(id)).toBe(false)
  })

  test('codes and tokens are deleted a week after they expire', () => {
    const { deps, state, clock } = world
    const kept = [putToken({}), putToken({ expiresAt: testStart + 1 })]
    putToken({ expiresAt: testStart })
    putToken({ expiresAt: testStart + 9 * day, revokedAt: testStart })
    const live = putRefreshToken({})
    putRefreshToken({ usedAt: testStart })
    putRefreshToken({ revokedAt: testStart })
    clock.advance(7 * day - 1)
    expect(forgetExpired(deps)).toBe(0)
    clock.advance(1)
    expect(forgetExpired(deps)).toBe(4)
    expect([...state.tokens.values()].map(({ id }) => id)).toEqual(kept)
    expect([...state.refreshTokens.values()].map(({ id }) => id)).toEqual([live])
  })

  test('sessions are deleted as soon as they expire', () => {
    const { deps, state, users, clock } = world
    startSession(deps, users.alice)
    clock.advance(30 * day - 1)
    expect(forgetExpired(deps)).toBe(0)
    clock.advance(1)
    expect(forgetExpired(deps)).toBe(1)
    expect(state.sessions.size).toBe(0)
  })

  test('many records are deleted in portions', () => {
    for (let count = 0; count < 5; count++) putToken({ revokedAt: testStart - 8 * day })
    expect(forgetExpired(world.deps, 3)).toBe(3)
    expect(forgetExpired(world.deps, 3)).toBe(2)
  })
})

describe('the cleanup', () => {
  beforeEach(() => vi.useFakeTimers({ now: testStart }))
  afterEach(() => vi.useRealTimers())

  test('the cleanup repeats until the clock is closed', () => {
    const clock = createClock()
    keepForgetting({ ...world.deps, clock })
    putToken({ revokedAt: testStart - 8 * day })
    vi.advanceTimersByTime(10 * 60_000)
    expect(world.state.tokens.size).toBe(0)
    for (let count = 0; count < 2001; count++) putToken({ revokedAt: testStart - 8 * day })
    vi.advanceTimersByTime(10 * 60_000)
    expect(world.state.tokens.size).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(world.state.tokens.size).toBe(0)
    putToken({ revokedAt: testStart - 8 * day })
    clock.close()
    vi.advanceTimersByTime(day)
    expect(world.state.tokens.size).toBe(1)
  })

  test('the cleanup continues after the clock is set back', () => {
    const clock = createClock()
    clock.advance(365 * day)
    keepForgetting({ ...world.deps, clock })
    clock.reset()
    putToken({ revokedAt: testStart - 8 * day })
    vi.advanceTimersByTime(10 * 60_000)
    expect(world.state.tokens.size).toBe(0)
    clock.close()
  })
})
