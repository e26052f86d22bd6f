import { describe, expect, test } from 'vitest'
import {
  batchRequests,
  binsOf,
  countInBins,
  layAxis,
} from '../../../renderer/features/home/model/density.ts'
import type { LiveEntry } from '../../../server/contract/live.ts'

const second = 1000
const hour = 3_600_000
const start = Date.parse('2026-01-01T12:00:00.000Z')

const at = (ms: number) => new Date(start + ms).toISOString()
let seq = 0
const fact = (ms: number, type: string, data: object = {}): LiveEntry =>
  ({ seq: (seq += 1), time: at(ms), type, data }) as unknown as LiveEntry
const signIn = (ms: number) => fact(ms, 'session.started')
const move = (ms: number) => fact(ms, 'clock.changed')
const waiting = (ms: number) => fact(ms, 'delivery.waiting', { webhookId: 'w', deliveryId: 'd' })

describe('time axis', () => {
  test('leaves out the hours that the clock jumped over', () => {
    const facts = [move(8 * hour), signIn(10 * second), signIn(0)]
    const axis = layAxis(facts, [], start + 8 * hour + 10 * second)
    expect(axis.lengthMs).toBe(20 * second)
    expect(axis.stretches.map((stretch) => stretch.at)).toEqual([0, 10 * second])
  })

  test('is in the order of events when the clock was set back', () => {
    const facts = [signIn(-hour + 5 * second), move(-hour), signIn(10 * second), signIn(0)]
    const axis = layAxis(facts, [], start - hour + 10 * second)
    expect(axis.stretches.map(({ at: place }) => place)).toEqual([0, 10 * second])
    const counts = countInBins(axis, facts, [], 4).map((bin) => bin.lanes['sign-ins'].count)
    // The last fact before the move is at the boundary, where the next stretch starts.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3)
    expect(counts[3]).toBe(1)
  })

  test('reaches back to the first request and on to now', () => {
    const axis = layAxis([signIn(10 * second)], [{ at: start }], start + 40 * second)
    expect(axis.lengthMs).toBe(40 * second)
  })

  test('of a sandbox that has just started has a length', () => {
    expect(layAxis([], [], start).lengthMs).toBeGreaterThan(0)
  })

  test('keeps a request after a jump out of the time before it, although its span began there', () => {
    const facts = [move(hour), signIn(0)]
    const density = { spanMs: second, spans: [{ from: at(hour - 1), requests: 1, refused: 0 }] }
    const now = start + hour + 5 * second
    const axis = layAxis(facts, batchRequests(density, -Infinity, now), now)
    expect(axis.stretches[0]).toMatchObject({ from: start, to: start })
  })
})

describe('bins', () => {
  const facts = [waiting(35 * second), signIn(31 * second), signIn(1 * second), signIn(0)]
  const density = {
    spanMs: second,
    spans: [
      { from: at(0), requests: 5, refused: 2 },
      { from: at(39 * second), requests: 1, refused: 0 },
    ],
  }
  const now = start + 40 * second
  const requests = batchRequests(density, -Infinity, now)
  const axis = layAxis(facts, requests, now)
  const bins = countInBins(axis, facts, requests, 4)

  test('count each kind, and its failures', () => {
    expect(bins.map(({ lanes }) => lanes['sign-ins'].count)).toEqual([2, 0, 0, 1])
    expect(bins.map(({ lanes }) => lanes.deliveries)[3]).toEqual({ count: 1, failed: 1 })
    expect(bins.map(({ lanes }) => lanes.requests)).toEqual([
      expect.objectContaining({ count: 5, failed: 2 }),
      { count: 0, failed: 0 },
      { count: 0, failed: 0 },
      expect.objectContaining({ count: 1, failed: 0 }),
    ])
  })

  test('are found again by their times', () => {
    const [, second_, third] = bins
    expect(binsOf(axis, { from: second_?.from ?? 0, to: third?.to ?? 0 }, 4)).toEqual([1, 3])
    expect(binsOf(axis, { from: 0, to: Infinity }, 4)).toEqual([0, 4])
  })

  test('of requests leave out those before the span', () => {
    expect(batchRequests(density, start + 20 * second, now)).toEqual([
      { at: now, count: 1, failed: 0 },
    ])
  })
})
