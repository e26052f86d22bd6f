import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEntry, LiveMessage } from '../../../server/contract/live.ts'
import type { LiveConnection } from '../../../renderer/api/live.ts'
import { createLiveHistory } from '../../../renderer/api/live-history.ts'
import { followLive } from '../../../renderer/api/live-updates.ts'

/** How long the sandbox takes to answer. */
let readMs = 5

function start() {
  let publish: (message: LiveMessage) => void = () => {}
  const connection: LiveConnection = {
    status: () => 'open',
    onStatus: () => () => {},
    onMessage: (listener) => {
      publish = listener
      return () => {}
    },
    retry: () => {},
    close: () => {},
  }
  const client = new QueryClient()
  const read = vi
    .spyOn(client, 'invalidateQueries')
    .mockImplementation(() => new Promise((resolve) => setTimeout(resolve, readMs)))
  const stop = followLive(
    connection,
    createLiveHistory(() => false),
    client,
  )
  let seq = 0
  const happen = (path = '/oauth/token') => {
    seq += 1
    const data = { id: `r${seq}`, method: 'POST', path, status: 200, durationMs: 1 }
    const entry = { seq, time: '2026-01-01T00:00:00.000Z', type: 'request.completed', data }
    publish({ cursor: String(seq), entries: [entry as LiveEntry] })
  }
  // The first message is what was before, after which everything is read anew.
  happen()
  read.mockClear()
  const reads = (resource = 'flows') =>
    read.mock.calls.filter(([filters]) => filters?.queryKey?.[0] === resource).length
  return { happen, reads, stop }
}

beforeEach(() => {
  readMs = 5
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('sign-ins are read again with the request itself, not with the next refresh of lists', () => {
  const { happen, reads } = start()
  happen()
  expect(reads()).toBe(1)
})

test('what comes while they are read is read once, soon after', async () => {
  const { happen, reads } = start()
  for (let count = 0; count < 20; count++) happen()
  expect(reads()).toBe(1)
  await vi.advanceTimersByTimeAsync(100)
  expect(reads()).toBe(2)
  await vi.advanceTimersByTimeAsync(1000)
  expect(reads()).toBe(2)
})

test('a list that takes long is read less often: at least two thirds of the time are left for others', async () => {
  readMs = 200
  const { happen, reads } = start()
  for (let passed = 0; passed < 3000; passed += 10) {
    happen()
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads()).toBeGreaterThanOrEqual(4)
  expect(reads()).toBeLessThanOrEqual(6)
})

test('the overview is read soon after a request of a sign-in, and every two seconds while others come', async () => {
  const { happen, reads } = start()
  happen()
  await vi.advanceTimersByTimeAsync(300)
  expect(reads('overview')).toBe(1)
  for (let passed = 0; passed < 10_000; passed += 10) {
    happen('/api/whoami-v2')
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(reads('overview')).toBeGreaterThanOrEqual(4)
  expect(reads('overview')).toBeLessThanOrEqual(6)
})

test('nothing is read after it was stopped', async () => {
  const { happen, reads, stop } = start()
  happen()
  happen()
  await vi.advanceTimersByTimeAsync(10)
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(reads()).toBe(1)
})
