import { describe, expect, test } from 'vitest'
import { createClock } from '../../../../server/core/clock.ts'
import { omitUndefined } from '../../../../server/core/omit-undefined.ts'
import { createBus } from '../../../../server/hub/events/bus.ts'
import { createEventLog } from '../../../../server/inspect/live/event-log.ts'

function setUp(capacity = 100) {
  const clock = createClock({ realNow: () => 0 })
  const bus = createBus(clock)
  const log = createEventLog(bus, 'run1', { capacity })
  const emit = (count: number) => {
    for (let i = 0; i < count; i += 1) bus.emit('app.created', { clientId: `app-${i}` })
  }
  return { bus, log, emit }
}

const seqs = (page: { entries: { seq: number }[] }) => page.entries.map(({ seq }) => seq)

describe('event log', () => {
  test('replays the latest facts to a reader without a cursor', () => {
    const { log, emit } = setUp()
    emit(5)
    const page = log.recent(3)
    expect(seqs(page)).toEqual([3, 4, 5])
    expect(page).toMatchObject({ cursor: 'run1-5', gap: false, more: false })
  })

  test('replays facts even after thousands of requests', () => {
    const { log, bus, emit } = setUp()
    const request = (error?: string) =>
      bus.emit('request.completed', {
        id: 'r',
        method: 'GET',
        path: '/api/whoami-v2',
        status: error === undefined ? 200 : 401,
        durationMs: 1,
        error,
      })
    emit(2)
    for (let i = 0; i < 5000; i += 1) request()
    request('invalid_token')
    for (let i = 0; i < 300; i += 1) request()
    emit(1)
    const page = log.recent(10)
    expect(seqs(page)).toEqual([1, 2, 5003, 5298, 5299, 5300, 5301, 5302, 5303, 5304])
    expect(page).toMatchObject({ cursor: log.cursor, gap: false, more: false })
  })

  test('shows a request with its current sign-in', () => {
    const flows = new Map<string, string>()
    const bus = createBus(createClock({ realNow: () => 0 }))
    const log = createEventLog(bus, 'run1', {
      aboutRequest: (id) => omitUndefined({ flowId: flows.get(id) }),
    })
    const answer = { status: 401, durationMs: 1.5, error: 'invalid_token', detail: 'It is over.' }
    const request = { id: 'r', method: 'GET', path: '/', ...answer, clientId: 'c', userId: 'u' }
    bus.emit('request.completed', request)
    expect(log.recent(1).entries[0]?.data).toEqual(request)
    flows.set('r', 'a')
    expect(log.recent(1).entries[0]?.data).toEqual({ ...request, flowId: 'a' })
  })

  test('has facts with ISO times', () => {
    const { log, bus } = setUp()
    bus.emit('device.requested', { clientId: 'c', userCode: 'ABCD-EFGH', expiresAt: 1000 })
    expect(log.recent(1).entries).toEqual([
      {
        seq: 1,
        time: '1970-01-01T00:00:00.000Z',
        type: 'device.requested',
        data: { clientId: 'c', userCode: 'ABCD-EFGH', expiresAt: '1970-01-01T00:00:01.000Z' },
      },
    ])
  })

  test('shows a fact that another one causes at once, after it', () => {
    const { bus, log, emit } = setUp()
    bus.on('app.created', () => bus.emit('clock.changed', { now: 0, frozen: true, offsetMs: 0 }))
    const { cursor } = log
    emit(1)
    expect(log.cursor).toBe('run1-2')
    expect(log.after(cursor).entries.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'app.created'],
      [2, 'clock.changed'],
    ])
  })

  test('resumes after a cursor without a gap, page by page', () => {
    const { log, emit } = setUp()
    emit(2)
    const { cursor } = log
    emit(3)
    const first = log.after(cursor, 2)
    expect(seqs(first)).toEqual([3, 4])
    expect(first).toMatchObject({ gap: false, more: true })
    const second = log.after(first.cursor, 2)
    expect(seqs(second)).toEqual([5])
    expect(second).toMatchObject({ gap: false, more: false, cursor: log.cursor })
    expect(seqs(log.after(second.cursor))).toEqual([])
  })

  test('reports a gap if the cursor is older than the log', () => {
    const { log, emit } = setUp(10)
    emit(1)
    const { cursor } = log
    emit(10)
    expect(log.after(cursor)).toMatchObject({ gap: false })
    emit(1)
    const page = log.after(cursor)
    expect(page.gap).toBe(true)
    expect(seqs(page)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test.each(['run0-3', 'run1-9', 'run1', 'run1-x', '', 'run1--1'])(
    'reports a gap for the unknown cursor %j',
    (cursor) => {
      const { log, emit } = setUp()
      emit(4)
      expect(log.after(cursor)).toMatchObject({ gap: true, entries: [{}, {}, {}, {}] })
    },
  )

  test('drops everything at a reset, also for readers that were up to date', () => {
    const { log, bus, emit } = setUp()
    emit(3)
    const { cursor } = log
    bus.emit('sandbox.reset', { erasedRequests: 0 })
    emit(1)
    const page = log.after(cursor)
    expect(page.gap).toBe(true)
    expect(seqs(page)).toEqual([4, 5])
    expect(seqs(log.recent(10))).toEqual([4, 5])
    expect(log.after('run1-4')).toMatchObject({ gap: false, entries: [{ seq: 5 }] })
  })
})
