import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { closeWithin, graceMs, hurryMs } from '../../../electron/quit.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('closing within bounded time', () => {
  test('asks once if the sandbox closes by itself, and leaves no timer', async () => {
    const close = vi.fn<() => Promise<void>>().mockResolvedValue()
    await expect(closeWithin(close)).resolves.toEqual({ closed: true })
    expect(close).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('hurries a slow close', async () => {
    let done = () => {}
    const closing = new Promise<void>((resolve) => (done = resolve))
    const close = vi.fn<() => Promise<void>>().mockReturnValue(closing)
    const result = closeWithin(close)
    await vi.advanceTimersByTimeAsync(graceMs - 1)
    expect(close).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(1)
    expect(close).toHaveBeenCalledTimes(2)
    done()
    await expect(result).resolves.toEqual({ closed: true })
  })

  test('gives up on a close that never ends', async () => {
    const result = closeWithin(() => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(graceMs + hurryMs)
    await expect(result).resolves.toMatchObject({
      closed: false,
      reason: { message: 'the sandbox did not stop in time' },
    })
  })

  test('reports why a close failed', async () => {
    const reason = new Error('the disk is full')
    await expect(closeWithin(() => Promise.reject(reason))).resolves.toEqual({
      closed: false,
      reason,
    })
  })
})
