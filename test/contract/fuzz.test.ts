import { describe, expect, test } from 'vitest'
import { play } from '../fuzz/play.ts'
import { targets } from '../fuzz/targets.ts'

// What a run of all tests can afford. `npm run fuzz` takes as long as it is told.
const budgetMs = 10_000
const shares = targets.reduce((sum, { share = 1 }) => sum + share, 0)
// The same for everybody: a change must not fail for what it did not touch. New inputs are for `npm run fuzz`.
const seed = 1

describe('what comes from outside', () => {
  test.each(targets.map((target) => [target.name, target] as const))(
    'breaks nothing: %s',
    async (_name, target) => {
      const ms = (budgetMs * (target.share ?? 1)) / shares
      const { inputs, finding } = await play(target, { seed, ms })
      await target.close?.()
      expect(finding).toBeUndefined()
      expect(inputs).toBeGreaterThan(0)
    },
    60_000,
  )
})
