import { describe, expect, test } from 'vitest'
import { createIds, seededBytes } from '../../../../server/core/ids.ts'
import type { DemoStage } from '../../../../server/lab/demos/held-demo.ts'
import { createDemos } from '../../../../server/lab/demos/demos.ts'

/** Demos under timers that the test lets ring, on a hub that answers when it is told to. */
function createWorld() {
  const timers = new Set<{ ms: number; act: () => void }>()
  let clock = 0
  const demos = createDemos({
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
  const stage: DemoStage = {
    url: 'http://localhost:7420',
    announcesIss: false,
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
  return { demos, stage, timers, moveClock: (ms: number) => (clock += ms) }
}

describe('how long a try stands', () => {
  test('a quarter of an hour of real time, wherever the clock of the sandbox goes', async () => {
    const { demos, stage, timers, moveClock } = createWorld()
    const item = await demos.start(stage, { kind: 'sign-in', pace: 'steps' })
    moveClock(30 * 86_400_000)
    expect(demos.list()).toHaveLength(1)
    expect(item.endsAt).toBe('1970-01-01T00:15:00.000Z')
    const [timer] = timers
    expect(timer?.ms).toBe(15 * 60_000)
    timer?.act()
    expect(demos.list()).toEqual([])
  })

  test('one that is given up leaves no timer behind', async () => {
    const { demos, stage, timers } = createWorld()
    const { id } = await demos.start(stage, { kind: 'device', pace: 'steps' })
    demos.drop(id)
    expect(timers.size).toBe(0)
    expect(() => demos.drop(id)).toThrow('Unknown demo')
  })

  test('who waits for a step hears of it when it is given up', async () => {
    const { demos, stage } = createWorld()
    const { id } = await demos.start(stage, { kind: 'device', pace: 'steps' })
    const step = demos.next(id)
    await expect(demos.next(id)).rejects.toThrow('The demo is playing a step')
    demos.clear()
    expect(await step).toMatchObject({ id, played: [] })
    expect(demos.list()).toEqual([])
  })
})
