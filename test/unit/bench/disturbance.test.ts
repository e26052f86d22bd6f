import { describe, expect, test } from 'vitest'
import { disturbancesOf, measureCalmly } from '../../bench/disturbance.ts'
import type { Measured } from '../../bench/row.ts'

const measured = (baselineNoise: number): Measured => ({
  row: 'jwks',
  results: [{ what: 'jwks', ours: '1/s', baseline: '1/s', ratio: 1, baselineNoise }],
})
const calm = { others: 0.02, stolen: 0 }

/** Measures these by turns, in these surroundings. */
async function measureAll(all: readonly Measured[], surroundings = calm) {
  let count = 0
  const result = await measureCalmly(() => Promise.resolve(all[count++]!), {
    observe: async (act) => ({ value: await act(), surroundings }),
  })
  return { result, count }
}

describe('a disturbed bench', () => {
  test.each([
    [{ others: 0.5, stolen: 0 }, 0.01, 'other programs used 50 %'],
    [{ others: 0, stolen: 0.2 }, 0.01, 'its host took 20 %'],
    [calm, 0.3, 'differed by ±30 %'],
  ])('is recognized by %j and a spread of %d', (surroundings, spread, reason) => {
    const reasons = disturbancesOf(measured(spread), surroundings)
    expect(reasons).toEqual([expect.stringContaining(reason)])
  })

  test('a calm row is measured once', async () => {
    const { result, count } = await measureAll([measured(0.02)])
    expect(count).toBe(1)
    expect(result.disturbed).toBeUndefined()
  })

  test('a disturbed row is measured again, and the calm figures count', async () => {
    const { result, count } = await measureAll([measured(0.4), measured(0.03)])
    expect(count).toBe(2)
    expect(result).toEqual(measured(0.03))
  })

  test('the calmer of two disturbed measurements is returned with a mark', async () => {
    const { result } = await measureAll([measured(0.2), measured(0.4)])
    expect(result.results[0]?.baselineNoise).toBe(0.2)
    expect(result.disturbed).toHaveLength(1)
  })

  test('a failed row is not repeated', async () => {
    const failed: Measured = { row: 'jwks', results: [], failure: 'no server' }
    const { result, count } = await measureAll([failed], { others: 0.9, stolen: 0 })
    expect(count).toBe(1)
    expect(result).toBe(failed)
  })
})
