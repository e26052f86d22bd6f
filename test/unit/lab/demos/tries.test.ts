import { describe, expect, test } from 'vitest'
import { createIds, seededBytes } from '../../../../server/core/ids.ts'
import type { TryStage } from '../../../../server/lab/demos/held-try.ts'
import { createTries } from '../../../../server/lab/demos/tries.ts'

/** Tries under timers that the test lets ring, on a hub that answers when it is told to. */
function createWorld() {
  const timers = new Set<{ ms: number; act: () => void }>()
  let clock = 0
  const tries = createTries({
    ids: createIds(seededBytes(1)),
    clock: { now: () => clock, realNow: () => 0 },
    realTime: {
      after(ms, act) {
        const timer = { ms, act }
        timers.add(timer)
        return () => timers.delete(timer)
      },
      soon: (act) => act(),
    },
  })
  const stage: TryStage = {
    url: 'http://localhost:7420',
    cast: {
      users: [
        { username: 'alice', email: 'a@example.com', emailVerified: true, hasPassword: false },
      ],
      apps: [
        {
          clientId: 'app',
          name: 'App',
          redirectUris: ['http://localhost/callback'],
          scopes: ['openid'],
          mayExchange: false,
        },
      ],
      organizations: [],
    },
    // A request that a barrier holds.
    send: () => new Promise(() => {}),
    findFlow: () => undefined,
  }
  return { tries, stage, timers, moveClock: (ms: number) => (clock += ms) }
}

describe('how long a try stands', () => {
  test('a quarter of an hour of real time, wherever the clock of the sandbox goes', async () => {
    const { tries, stage, timers, moveClock } = createWorld()
    const item = await tries.start(stage, { kind: 'sign-in', pace: 'steps' })
    moveClock(30 * 86_400_000)
    expect(tries.list()).toHaveLength(1)
    expect(item.endsAt).toBe('1970-01-01T00:15:00.000Z')
    const [timer] = timers
    expect(timer?.ms).toBe(15 * 60_000)
    timer?.act()
    expect(tries.list()).toEqual([])
  })

  test('one that is given up leaves no timer behind', async () => {
    const { tries, stage, timers } = createWorld()
    const { id } = await tries.start(stage, { kind: 'device', pace: 'steps' })
    tries.drop(id)
    expect(timers.size).toBe(0)
    expect(() => tries.drop(id)).toThrow('There is no try')
  })

  test('who waits for a step hears of it when it is given up', async () => {
    const { tries, stage } = createWorld()
    const { id } = await tries.start(stage, { kind: 'device', pace: 'steps' })
    const step = tries.next(id)
    await expect(tries.next(id)).rejects.toThrow('Its step is being played')
    tries.clear()
    expect(await step).toMatchObject({ id, played: [] })
    expect(tries.list()).toEqual([])
  })
})
