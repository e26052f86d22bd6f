import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Refusal } from '../../../../server/core/refusal.ts'
import { createForks } from '../../../../server/lab/forks/forks.ts'

vi.hoisted(() => vi.resetModules())
vi.mock('../../../../server/core/timers.ts', async (ofNode) => {
  const { presentTimers } = await import('../../../helpers/present-timers.ts')
  return presentTimers(await ofNode())
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function world() {
  const forks = createForks(200)
  const closed: string[] = []
  let made = 0
  const make = async () => {
    const url = `http://localhost:${++made}`
    return { url, dashboardUrl: `${url}/_sandbox/`, close: async () => void closed.push(url) }
  }
  forks.makeBy(make)
  return { forks, closed, make }
}

describe('forks', () => {
  test('that are temporary end when nobody follows them within ten seconds', async () => {
    const { forks, closed } = world()
    await forks.create({ temporary: true })
    await forks.create()
    await vi.advanceTimersByTimeAsync(9999)
    expect(closed).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(closed).toEqual(['http://localhost:1'])
    expect(forks.list().map(({ id }) => id)).toEqual(['fork-2'])
  })

  test('that are temporary stay while somebody follows them', async () => {
    const { forks, closed } = world()
    const { id } = await forks.create({ temporary: true })
    const stop = forks.follow(id, () => {})
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(closed).toEqual([])
    stop()
    await vi.advanceTimersByTimeAsync(0)
    expect(closed).toEqual(['http://localhost:1'])
  })

  test('are no more than can be meant, those under way counted', async () => {
    const { forks } = world()
    const all = await Promise.allSettled(Array.from({ length: 201 }, () => forks.create()))
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'overloaded' })])
    expect(refused[0]?.message).toContain('The limit of 200 forks is reached: close one')
    await forks.remove('fork-7')
    await expect(forks.create()).resolves.toMatchObject({ id: 'fork-201' })
  })

  test('are not made by a sandbox that stops, and one that is under way then ends', async () => {
    const { forks, closed, make } = world()
    let go = () => {}
    forks.makeBy(() => new Promise<void>((resolve) => (go = resolve)).then(make))
    const late = forks.create()
    await forks.close()
    go()
    await expect(late).rejects.toThrow('The sandbox is stopping')
    expect(closed).toEqual(['http://localhost:1'])
    await expect(forks.create()).rejects.toBeInstanceOf(Refusal)
  })

  test('that are slow to end are told again, to end now', async () => {
    const forks = createForks(200)
    let calls = 0
    let ended = () => {}
    const isEnded = new Promise<void>((resolve) => (ended = resolve))
    forks.makeBy(async () => ({
      url: 'http://localhost:1',
      dashboardUrl: '',
      close: () => {
        calls += 1
        if (calls === 2) ended()
        return isEnded
      },
    }))
    await forks.create()
    const first = forks.close()
    await Promise.all([first, forks.close()])
    expect(calls).toBe(2)
  })

  test('of a sandbox and of its forks count together, and give their places back', async () => {
    const places = { taken: 0 }
    const [origin, fork] = [createForks(3, places), createForks(3, places)]
    const make = async () => ({ url: '', dashboardUrl: '', close: async () => {} })
    origin.makeBy(make)
    fork.makeBy(make)
    const first = await origin.create()
    await fork.create()
    await fork.create()
    for (const forks of [origin, fork]) {
      await expect(forks.create()).rejects.toThrow('The limit of 3 forks is reached')
    }
    await origin.remove(first.id)
    await fork.create()
    await fork.close()
    expect(places.taken).toBe(0)
    origin.makeBy(() => Promise.reject(new Error('no port')))
    await expect(origin.create()).rejects.toThrow('no port')
    expect(places.taken).toBe(0)
  })

  test('are made one after another', async () => {
    const { forks, make } = world()
    let [running, most] = [0, 0]
    forks.makeBy(async () => {
      running += 1
      most = Math.max(most, running)
      const made = await make()
      running -= 1
      return made
    })
    await Promise.all(Array.from({ length: 20 }, () => forks.create()))
    expect([most, forks.list().length]).toEqual([1, 20])
  })
})
