import { describe, expect, test } from 'vitest'
import { play } from '../fuzz/play.ts'
import { defaultSample } from '../fuzz/target.ts'
import { targets } from '../fuzz/targets.ts'

// The same inputs for everybody, however fast the machine: a change must not fail for what it did not touch. New ones are
// for `npm run fuzz`, which takes as long as it is told.
const seed = 1

describe('fuzzed input', () => {
  test.each(targets.map((target) => [target.name, target] as const))(
    'breaks nothing: %s',
    async (_name, target) => {
      const sample = target.sample ?? defaultSample
      const { inputs, finding } = await play(target, seed, { sample })
      await target.close?.()
      expect(finding).toBeUndefined()
      expect(inputs).toBeGreaterThanOrEqual(sample)
    },
    60_000,
  )
})
