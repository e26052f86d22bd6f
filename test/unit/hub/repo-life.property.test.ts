import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../helpers/programs.ts'
import { liveThrough, repoSteps } from './repo-life.ts'

describe('a repo', () => {
  test('has what was done to it, whatever is done in whatever order, in memory and on disk', async () => {
    const property = fc.asyncProperty(repoSteps, (steps) => liveThrough(steps))
    await expect(fc.assert(property, { numRuns: 25 })).resolves.toBeUndefined()
  }, 60_000)

  // Each push starts git several times.
  test.skipIf(!hasProgram('git'))(
    'has it, too, when what is pushed comes in packs of git by HTTP',
    async () => {
      const property = fc.asyncProperty(repoSteps, (steps) => liveThrough(steps, 'by HTTP'))
      await expect(fc.assert(property, { numRuns: 10 })).resolves.toBeUndefined()
    },
    60_000,
  )
})
