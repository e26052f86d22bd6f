import { describe, expect, test } from 'vitest'
import {
  describeParts,
  labelStep,
  layMarks,
  stackParts,
  ticksUpTo,
  type BarPart,
} from '../../../renderer/ui/charts/chart-layout.ts'
import {
  latencyBars,
  latencyMarks,
  timeBars,
} from '../../../renderer/features/webhooks/model/statistics-bars.ts'
import { measureLatency } from '../../../server/hub/webhooks/views/charts.ts'

const part = (value: number, name = 'succeeded'): BarPart => ({ tone: 'ok', name, value })

describe('ticks', () => {
  test.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 5, 10]],
    [151, [0, 100, 200]],
    [20_000, [0, 10_000, 20_000]],
  ])('up to %d are round and whole', (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks)
  })
})

describe('parts of a bar', () => {
  test('stand on each other, as high as their share', () => {
    expect(stackParts([part(25, 'failed'), part(75)], 100, 200)).toMatchObject([
      { name: 'failed', y: 150, height: 50 },
      { name: 'succeeded', y: 0, height: 150 },
    ])
  })

  test('that are one in thousands are still seen, and those that are none are not there', () => {
    expect(stackParts([part(1, 'failed'), part(0)], 20_000, 132)).toEqual([
      { ...part(1, 'failed'), y: 130, height: 2 },
    ])
  })

  test('are told in words', () => {
    expect(describeParts([part(3), part(0, 'open'), part(1, 'failed')], String)).toBe(
      '3 succeeded, 1 failed',
    )
    expect(describeParts([part(0)], String)).toBe('none')
  })
})

test('labels are left out where there is no room for them', () => {
  expect(labelStep(10, 60, 54)).toBe(1)
  expect(labelStep(48, 10, 54)).toBe(6)
  expect(labelStep(3, 1, 54)).toBe(3)
})

test('marks that are close have lines of their own, others share the first', () => {
  const marks = [1, 1.5, 9].map((at) => ({ label: String(at), at }))
  expect(layMarks(marks, 3).map(({ line }) => line)).toEqual([0, 1, 0])
})

describe('latency', () => {
  const figures = (...durations: number[]) =>
    measureLatency(
      durations.map((durationMs) => ({
        id: 'd/1',
        deliveryId: 'd',
        number: 1,
        source: 'auto' as const,
        at: 0,
        outcome: 'succeeded' as const,
        durationMs,
        request: { method: 'POST', url: 'http://localhost/', headers: [] },
      })),
    )

  test('of nothing has neither bars nor marks', () => {
    expect(latencyBars(figures())).toEqual([])
    expect(latencyMarks(figures())).toEqual([])
  })

  test('of one stands in one bar, with room on either side, and its marks in it', () => {
    const bars = latencyBars(figures(15))
    expect(bars.map(({ title }) => title)).toEqual([
      '5 ms to 10 ms',
      '10 ms to 20 ms',
      '20 ms to 50 ms',
    ])
    expect(latencyMarks(figures(15))).toEqual(
      ['p50', 'p90', 'p99'].map((name) => ({ label: `${name} 15 ms`, at: 1.5 })),
    )
  })

  test('of one that hung keeps the others apart from each other', () => {
    const bars = latencyBars(figures(1, 3, 30_500))
    expect(bars[0]?.title).toBe('Under 1 ms')
    expect(bars.at(-1)?.title).toBe('30 s or longer')
    expect(latencyMarks(figures(1, 3, 30_500)).at(-1)?.at).toBe(bars.length - 0.5)
  })
})

test('spans of more than a day are told by their day, shorter ones by their time', () => {
  const spans = [0, 1].map((index) => ({
    // In local time: some time zones are off by half an hour.
    from: new Date(2026, 0, 1, index).toISOString(),
    succeeded: 1,
    failed: 0,
    failing: 0,
    open: 0,
  }))
  const short = timeBars({ spanMs: 3_600_000, spans })
  expect(short[0]?.title).toBe('From 00:00:00')
  const long = timeBars({ spanMs: 86_400_000, spans })
  expect(long[0]?.label).not.toContain(':')
})
