import { describe, expect, test } from 'vitest'
import { inStretches, sparkline } from '../../soak/curve.ts'
import { judgeCurve, judgeQuiet, type Quiet } from '../../soak/verdicts.ts'

const isFlat = (values: readonly number[]) =>
  judgeCurve(
    'it',
    values.map((value, index) => ({ value, atMs: index * 1000 })),
    0.05,
    String,
  ).isGood

const times = Array.from({ length: 60 }, (_, index) => index)
/** Up and down by as much as 10, without chance. */
const shaken = (index: number) => ((index * 7919) % 21) - 10

describe('a curve', () => {
  test('that goes up and down is flat', () => {
    expect(isFlat(times.map((index) => 100 + shaken(index)))).toBe(true)
  })

  test('with a few high peaks at its end is flat', () => {
    expect(isFlat(times.map((index) => 100 + (index > 54 ? 300 : 0)))).toBe(true)
  })

  test('that rises beyond its noise is not', () => {
    expect(isFlat(times.map((index) => 100 + index + shaken(index)))).toBe(false)
  })

  test('of hardly any points is not taken for flat', () => {
    expect(isFlat([])).toBe(false)
    expect(isFlat([100, 100])).toBe(false)
  })

  test('that falls is flat', () => {
    expect(isFlat(times.map((index) => 200 - index))).toBe(true)
  })
})

describe('what is left when all have gone', () => {
  const quiet: Quiet = {
    residentBytes: 1e8,
    heapUsedBytes: 3e7,
    externalBytes: 1e6,
    cpuMs: 0,
    resources: { Timeout: 2, TCPSocketWrap: 3 },
    openFiles: 25,
    delayMedianMs: 5,
    delayP99Ms: 6,
    delayLongestMs: 7,
    liveHeapBytes: 3e7,
  }
  const failing = (after: Partial<Quiet>) =>
    judgeQuiet(quiet, { ...quiet, ...after }).flatMap(({ isGood, what }) => (isGood ? [] : [what]))

  test('is what there was before', () => {
    expect(failing({})).toEqual([])
  })

  test.each<[Partial<Quiet>, string]>([
    [
      { resources: { Timeout: 9, TCPSocketWrap: 3 } },
      'timers and handles are back where they were',
    ],
    [{ resources: { Worker: 3 } }, 'timers and handles are back where they were'],
    [{ openFiles: 40 }, 'open files and sockets are back where they were'],
    [{ liveHeapBytes: 6e7 }, 'the live heap is back where it was'],
  ])('is more: %j', (after, what) => {
    expect(failing(after)).toEqual([what])
  })
})

test('a sparkline starts at nothing, so that what is flat looks flat', () => {
  const points = times.map((index) => ({ atMs: index, value: index < 30 ? 80 : 100 }))
  expect(sparkline(inStretches(points, 4))).toBe('▇▇██')
  expect(sparkline([0, 50, 100])).toBe('▁▅█')
})
