import { expect, test } from 'vitest'
import { divide, formatTallies } from '../../simulate/processes.ts'

const work = { seed: 7, runs: 10, minutes: 0, steps: 300 }

test.each([1, 2, 3, 4, 7, 10, 15])('%i processes play each seed once', (jobs) => {
  const shares = divide(work, jobs)
  const seeds = shares.flatMap(({ seed, runs }) => Array.from({ length: runs }, (_, i) => seed + i))
  expect(seeds).toEqual([7, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(shares.length).toBeLessThanOrEqual(jobs)
})

test('processes that play for a time begin far apart', () => {
  const shares = divide({ ...work, minutes: 5 }, 3)
  expect(shares.map(({ seed, minutes }) => [seed, minutes])).toEqual([
    [7, 5],
    [1_000_007, 5],
    [2_000_007, 5],
  ])
})

test('the summary adds what processes have played, and their steps a second', () => {
  const tally = { runs: 2, steps: 600, events: 9, starts: 3, findings: 1, seconds: 2, crashes: [] }
  expect(formatTallies([tally, { ...tally, seconds: 3 }])).toBe(
    '4 runs, 1200 steps, 500 steps a second, 18 events, 6 starts, 2 findings',
  )
})
