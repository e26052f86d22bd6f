import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { liveThrough, repoSteps } from './repo-life.ts'

describe('a repo', () => {
  test('has what was done to it, whatever is done in whatever order, in memory and on disk', async () => {
    const property = fc.asyncProperty(repoSteps, liveThrough)
    await expect(fc.assert(property, { numRuns: 25 })).resolves.toBeUndefined()
  }, 60_000)
})
