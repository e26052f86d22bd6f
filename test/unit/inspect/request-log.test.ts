import { describe, expect, test } from 'vitest'
import { logCaps } from '../../helpers/records.ts'
import { createRequestLog, type RequestRecord } from '../../../server/inspect/log/request-log.ts'

const record = (id: number): RequestRecord => ({
  id: `req-${id}`,
  at: id,
  endedAt: id,
  receivedMs: id,
  method: 'GET',
  url: '/',
  status: 200,
  durationMs: 1,
  request: { headers: {}, size: 0, truncated: false },
  response: { headers: {}, size: 0, truncated: false },
})

describe('request log', () => {
  test.each([
    [1, [7]],
    [3, [5, 6, 7]],
    [7, [1, 2, 3, 4, 5, 6, 7]],
    [8, [1, 2, 3, 4, 5, 6, 7]],
  ])('keeps the latest %i, oldest first', (cap, kept) => {
    const log = createRequestLog(logCaps(cap))
    for (let id = 1; id <= 7; id += 1) log.add(record(id))
    expect(log.values().map(({ at }) => at)).toEqual(kept)
    expect(log.size).toBe(kept.length)
    expect(log.get('req-1')?.at).toBe(kept.includes(1) ? 1 : undefined)
  })

  test('lists requests in the order of their arrival, not of their responses', () => {
    const log = createRequestLog(logCaps(3))
    for (const id of [9, 2, 3, 1]) log.add(record(id))
    expect(log.values().map(({ at }) => at)).toEqual([1, 2, 3])
    expect(Array.from(log.newestFirst(), ({ at }) => at)).toEqual([3, 2, 1])
  })

  test('reports how many of the received requests are kept, and the first arrival of those', () => {
    const log = createRequestLog(logCaps(3))
    expect(log.extent()).toEqual({ kept: 0, received: 0 })
    for (const id of [9, 2, 3, 1]) log.add(record(id))
    expect(log.extent()).toEqual({ kept: 3, received: 4, since: 1 })
  })

  test('lists the kept requests after each addition', () => {
    const log = createRequestLog(logCaps(3))
    for (let id = 1; id <= 10; id += 1) {
      log.add(record(id))
      const kept = [id - 2, id - 1, id].filter((number) => number > 0)
      expect(log.values().map(({ at }) => at)).toEqual(kept)
      expect(kept.map((number) => log.get(`req-${number}`)?.at)).toEqual(kept)
      expect(log.get(`req-${id - 3}`)).toBeUndefined()
    }
    const [first] = log.values()
    expect(log.values()[0]).toBe(first)
  })

  test('requests of sign-ins may take half of the log, so reads do not evict them', () => {
    const log = createRequestLog(logCaps(4))
    const signIn = (id: number) => ({ ...record(id), url: '/oauth/token' })
    for (const id of [1, 2, 3]) log.add(signIn(id))
    for (const id of [4, 5, 6, 7]) log.add(record(id))
    expect(log.values().map(({ at }) => at)).toEqual([2, 3, 6, 7])
    for (const id of [8, 9, 10, 11]) log.add(signIn(id))
    expect(log.values().map(({ at }) => at)).toEqual([6, 7, 10, 11])
  })

  test('a log that is full by bytes drops the oldest requests, whichever part is large', () => {
    const large = 'x'.repeat(300_000)
    const message = { headers: {}, size: 0, truncated: false }
    const parts: Partial<RequestRecord>[] = [
      { url: `/${large}` },
      { detail: large },
      { message: large },
      { request: { ...message, headers: { cookie: large } } },
      { request: { ...message, body: { a: [] }, size: 20_000 } },
      { response: { ...message, body: large } },
    ]
    for (const part of parts) {
      const log = createRequestLog({ requests: 1000, requestBytes: 1_000_000 })
      for (let id = 1; id <= 5; id += 1) log.add({ ...record(id), ...part })
      expect(log.values().map(({ at }) => at)).toEqual([3, 4, 5])
      for (let id = 6; id <= 500; id += 1) log.add(record(id))
      expect(log.size).toBeGreaterThan(400)
    }
  })

  test('the newest request is kept even when it alone is over the limit', () => {
    const log = createRequestLog({ requests: 10, requestBytes: 10 })
    for (const id of [1, 2]) log.add(record(id))
    expect(log.values().map(({ at }) => at)).toEqual([2])
  })

  test('a cleared log starts anew', () => {
    const log = createRequestLog(logCaps(2))
    for (const id of [1, 2, 3]) log.add(record(id))
    log.clear()
    expect(log.values()).toEqual([])
    for (const id of [4, 5, 6]) log.add(record(id))
    expect(log.values().map(({ at }) => at)).toEqual([5, 6])
  })
})
