import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { slowTests } from './short-set.mjs'

const ranks = new Map(Object.keys(slowTests).map((name, rank) => [`${name}.test.ts`, rank]))

/**
 * Starts the slow files first. A fresh clone knows no durations, so vitest would start the largest files first; a long
 * one that starts last keeps one worker busy while the others have nothing to do.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's, which returns a new array
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

/** Returns the place of a slow file in their order, and the same last place for all others. */
export function rankOf({ moduleId }: { moduleId: string }): number {
  const [, path = ''] = /.*\/test\/(.+)$/.exec(moduleId) ?? []
  return ranks.get(path) ?? ranks.size
}
