import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasProgram } from '../../helpers/programs.ts'
import { liveThrough, repoSteps } from './repo-life.ts'

describe('a repo', () => {
  test('a repo equals its model after any actions in any order, in memory and on disk', async () => {
    const property = fc.asyncProperty(repoSteps, (steps) => liveThrough(steps))
    await expect(fc.assert(property, { numRuns: 25 })).resolves.toBeUndefined()
  }, 60_000)

  // Each push starts git several times.
  test.skipIf(!hasProgram('git'))(
    'a repo equals its model when pushes come as packs over HTTP',
    async () => {
      const property = fc.asyncProperty(repoSteps, (steps) => liveThrough(steps, 'by HTTP'))
      await expect(fc.assert(property, { numRuns: 10 })).resolves.toBeUndefined()
    },
    60_000,
  )
})
