import { expect, test } from 'vitest'
import { rankOf } from '../../helpers/longest-first.ts'
import { slowTests } from '../../helpers/short-set.mjs'

test('the slow files start before all others, in their order', () => {
  const names = [...Object.keys(slowTests), 'contract/whoami', 'unit/core/clock']
  const ranks = names.map((name) => rankOf({ moduleId: `/a/test/b/test/${name}.test.ts` }))
  expect(ranks.slice(0, -1)).toEqual([...ranks.slice(0, -1).keys()])
  expect(ranks.at(-1)).toBe(ranks.at(-2))
})
