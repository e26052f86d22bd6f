import { describe, expect, onTestFinished, test, vi } from 'vitest'
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
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => now.mockRestore())
    const pause = takeSlices()
    now.mockReturnValue(4.9)
    expect(pause()).toBeUndefined()
    now.mockReturnValue(5)
    const other = vi.fn<() => void>()
    setImmediate(other)
    await pause()
    expect(other).toHaveBeenCalledOnce()
    expect(pause()).toBeUndefined()
  })
})
