import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LiveMessage } from '../../../../server/contract/live.ts'
import { createClock } from '../../../../server/core/clock.ts'
import { createBus } from '../../../../server/hub/events/bus.ts'
import { createLiveFeed, type FeedSocket } from '../../../../server/inspect/live/live-feed.ts'
import { createEventLog } from '../../../../server/inspect/live/event-log.ts'

vi.hoisted(() => vi.resetModules())
vi.mock('../../../../server/core/timers.ts', async (ofNode) => {
  const { presentTimers } = await import('../../../helpers/present-timers.ts')
  return presentTimers(await ofNode())
})

function fakeSocket() {
  const messages: LiveMessage[] = []
  const ends: string[] = []
  const listeners = new Map<string, () => void>()
  const socket: FeedSocket & { bufferedAmount: number } = {
    bufferedAmount: 0,
    send: (text) => messages.push(JSON.parse(text) as LiveMessage),
    close: (code) => ends.push(`close ${code}`),
    terminate: () => ends.push('terminate'),
    on: (event: 'close' | 'error', listener: (error: Error) => void) =>
      listeners.set(event, () => listener(new Error('gone'))),
  }
  return { socket, messages, ends, hangUp: () => listeners.get('close')?.() }
}

describe('live feed', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  function setUp() {
    const bus = createBus(createClock({ realNow: () => 0 }))
    const log = createEventLog(bus, 'run1')
    const feed = createLiveFeed(log, { batchMs: 50, pageSize: 3, maxBufferedBytes: 10_000 })
    const emit = (count: number) => {
      for (let i = 0; i < count; i += 1) bus.emit('app.created', { clientId: `app-${i}` })
    }
    return { bus, log, feed, emit }
  }
  const seqs = (messages: LiveMessage[]) =>
    messages.map(({ entries }) => entries.map(({ seq }) => seq))

  test('sends the cursor at once, even without events to replay', () => {
    const { feed } = setUp()
    const { socket, messages } = fakeSocket()
    feed.add(socket, undefined)
    expect(messages).toEqual([{ cursor: 'run1-0', entries: [] }])
  })

  test('serializes a message once for all readers at the same position', () => {
    const { log, feed, emit } = setUp()
    const sockets = [fakeSocket(), fakeSocket(), fakeSocket()]
    for (const { socket } of sockets.slice(0, 2)) feed.add(socket, undefined)
    emit(2)
    feed.add(sockets[2]!.socket, 'run1-1')
    const read = vi.spyOn(log, 'after')
    emit(1)
    vi.advanceTimersByTime(50)
    expect(sockets.map(({ messages }) => seqs(messages))).toEqual([
      [[], [1, 2, 3]],
      [[], [1, 2, 3]],
      [[2], [3]],
    ])
    expect(read.mock.calls.map(([cursor]) => cursor)).toEqual(['run1-0', 'run1-2'])
  })

  test('replays recent facts, then sends each batch of facts as one message', () => {
    const { feed, emit } = setUp()
    emit(5)
    const { socket, messages } = fakeSocket()
    feed.add(socket, undefined)
    emit(2)
    expect(seqs(messages)).toEqual([[3, 4, 5]])
    vi.advanceTimersByTime(50)
    expect(seqs(messages)).toEqual([
      [3, 4, 5],
      [6, 7],
    ])
    expect(messages.every(({ gap }) => gap === undefined)).toBe(true)
  })

  test('splits a burst into pages without loss', () => {
    const { feed, emit } = setUp()
    const { socket, messages } = fakeSocket()
    feed.add(socket, undefined)
    emit(8)
    vi.advanceTimersByTime(200)
    expect(seqs(messages)).toEqual([[], [1, 2, 3], [4, 5, 6], [7, 8]])
  })

  test('resumes after a cursor, and reports a gap for one of another run', () => {
    const { feed, emit } = setUp()
    emit(2)
    const same = fakeSocket()
    feed.add(same.socket, 'run1-1')
    expect(same.messages).toMatchObject([{ cursor: 'run1-2', entries: [{ seq: 2 }] }])
    const other = fakeSocket()
    feed.add(other.socket, 'run0-1')
    expect(other.messages).toMatchObject([{ gap: true, entries: [{ seq: 1 }, { seq: 2 }] }])
  })

  test('skips a reader that does not read, and reports the gap once it reads', () => {
    const { feed, emit } = setUp()
    const { socket, messages } = fakeSocket()
    feed.add(socket, undefined)
    socket.bufferedAmount = 10_000
    emit(3)
    vi.advanceTimersByTime(500)
    expect(messages).toHaveLength(1)
    socket.bufferedAmount = 0
    vi.advanceTimersByTime(50)
    expect(messages.at(-1)).toEqual({ cursor: 'run1-3', gap: true, entries: [] })
    emit(1)
    vi.advanceTimersByTime(50)
    expect(messages.at(-1)).toMatchObject({ cursor: 'run1-4', entries: [{ seq: 4 }] })
    expect(messages.at(-1)).not.toHaveProperty('gap')
  })

  test('disconnects a reader that does not read for a minute', () => {
    const { feed, emit } = setUp()
    const [silent, slow] = [fakeSocket(), fakeSocket()]
    for (const { socket } of [silent, slow]) {
      feed.add(socket, undefined)
      socket.bufferedAmount = 10_000
    }
    emit(1)
    vi.advanceTimersByTime(50_000)
    slow.socket.bufferedAmount = 0
    vi.advanceTimersByTime(11_000)
    expect(silent.ends).toEqual(['terminate'])
    expect(slow.ends).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('reports a reset as a gap to a connected reader', () => {
    const { feed, bus, emit } = setUp()
    const { socket, messages } = fakeSocket()
    feed.add(socket, undefined)
    emit(1)
    vi.advanceTimersByTime(50)
    bus.emit('sandbox.reset', { erasedRequests: 0 })
    vi.advanceTimersByTime(50)
    expect(messages.at(-1)).toMatchObject({ gap: true, entries: [{ type: 'sandbox.reset' }] })
  })

  test('runs no timer without readers, and closes its sockets with the sandbox', () => {
    const { feed, emit } = setUp()
    const first = fakeSocket()
    feed.add(first.socket, undefined)
    first.hangUp()
    emit(1)
    expect(vi.getTimerCount()).toBe(0)
    const second = fakeSocket()
    feed.add(second.socket, undefined)
    feed.close()
    expect(second.ends).toEqual(['close 1001'])
    vi.advanceTimersByTime(1000)
    expect(second.ends).toEqual(['close 1001', 'terminate'])
    emit(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})
