import { expect, test } from 'vitest'
import { countRequests } from '../../../server/inspect/log/density.ts'

const isRefused = (record: { at: number; error?: string }) => record.error !== undefined
const times = (count: number, stepMs: number): { at: number; error?: string }[] =>
  Array.from({ length: count }, (_, index) => ({ at: index * stepMs }))

test('counts requests and refusals in spans of a second', () => {
  const records = [{ at: 0 }, { at: 999, error: 'invalid_grant' }, { at: 5200 }]
  expect(countRequests(records, 10, isRefused)).toEqual({
    spanMs: 1000,
    spans: [
      { from: 0, requests: 2, refused: 1 },
      { from: 5000, requests: 1, refused: 0 },
    ],
  })
})

test('takes longer spans until there are few enough', () => {
  const { spanMs, spans } = countRequests(times(100, 1000), 10, isRefused)
  expect([spanMs, spans.length]).toEqual([10_000, 10])
})

test('adds no spans for time without requests, however long', () => {
  const { spanMs, spans } = countRequests(times(2, 1e12), 2, isRefused)
  expect([spanMs, spans.length]).toEqual([1000, 2])
})

test('keeps the latest spans when not even days are few enough', () => {
  const { spanMs, spans } = countRequests(times(10, 86_400_000), 3, isRefused)
  expect(spans.map(({ from }) => from / spanMs)).toEqual([7, 8, 9])
})
