import { describe, expect, test, vi } from 'vitest'
import { finish, finishInTurns, type SteppedWork, takeSlices } from '../../../server/core/slices.ts'

function* count(to: number): SteppedWork<number> {
  for (let step = 0; step < to; step++) yield
  return to
}

describe('work in steps', () => {
  test('comes to the same in one run and in turns', async () => {
    const pause = vi.fn<() => Promise<void> | undefined>(() => Promise.resolve())
    expect([finish(count(3)), await finishInTurns(count(3), pause)]).toEqual([3, 3])
    expect(pause).toHaveBeenCalledTimes(3)
  })

  test('lets others have their turn once it has gone on for a while', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const pause = takeSlices()
    expect(pause()).toBeUndefined()
    const started = performance.now()
    while (performance.now() - started < 100) await pause()
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })
})
