import { expect, test } from 'vitest'
import { shrink } from '../../../server/core/shrink.ts'

/** Whether a list has some items in this order, with any others between them. */
function hasInOrder(list: readonly string[], items: readonly string[]): boolean {
  let found = 0
  for (const item of list) if (item === items[found]) found += 1
  return found === items.length
}

const defect = ['create a webhook', 'commit', 'kill', 'read the sums']

/** The steps of the defect among 296 others. */
const failing = defect.flatMap((step, part) => [
  ...Array.from({ length: 74 }, (_, index) => `other ${part * 74 + index}`),
  step,
])

test('a failure that needs four of 300 steps is shrunk to these four', async () => {
  const { steps, plays } = await shrink(failing, async (some) => hasInOrder(some, defect))
  expect(steps).toEqual(defect)
  expect(plays).toBeLessThan(150)
})

test('a step that only another one needs is removed after it', async () => {
  // Without `a` it fails only if `c` is gone, too.
  const failures = new Set(['a b c', 'a b', 'b'])
  const { steps } = await shrink(['a', 'b', 'c'], async (some) => failures.has(some.join(' ')))
  expect(steps).toEqual(['b'])
})

test('shrinking ends at its limit of plays with the fewest failing steps so far', async () => {
  let plays = 0
  const isFailing = async (some: readonly string[]) => {
    plays += 1
    return hasInOrder(some, defect)
  }
  const limited = await shrink(failing, isFailing, 10)
  expect([plays, limited.plays]).toEqual([10, 10])
  expect(limited.steps.length).toBeLessThan(300)
  expect(hasInOrder(limited.steps, defect)).toBe(true)
})

test('what fails without any step becomes empty', async () => {
  expect((await shrink(failing, async () => true)).steps).toEqual([])
})
