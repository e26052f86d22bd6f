import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { finish, finishInTurns, type SteppedWork, takeSlices } from '../../../server/core/slices.ts'

function* count(to: number): SteppedWork<number> {
  for (let step = 0; step < to; step++) yield
  return to
}

describe('stepped work', () => {
  test('stepped work has the same result in one run and in turns', async () => {
    const pause = vi.fn<() => Promise<void> | undefined>(() => Promise.resolve())
    expect([finish(count(3)), await finishInTurns(count(3), pause)]).toEqual([3, 3])
    expect(pause).toHaveBeenCalledTimes(3)
  })

  test('stepped work yields to the event loop after a while', async () => {
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
