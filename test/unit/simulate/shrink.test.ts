import { expect, test } from 'vitest'
import { type Script, writeScript } from '../../simulate/script.ts'
import { shrink } from '../../simulate/shrink.ts'

/** Whether a script has some steps in this order, with any others between them. */
function hasInOrder({ steps }: Script, names: readonly string[]): boolean {
  let found = 0
  for (const { name } of steps) if (name === names[found]) found += 1
  return found === names.length
}

const defect = ['create a webhook', 'commit', 'kill', 'read the sums']

/** Script of a seed with the steps of the defect among the others. */
function failingScript(seed: number): Script {
  const { steps } = writeScript(seed, 296)
  const parts = defect.flatMap((name, index) => [
    ...steps.slice(index * 60, index * 60 + 60),
    { name, seed: index },
  ])
  return { seed, steps: [...parts, ...steps.slice(240)] }
}

test('a failure that needs four of 300 steps is shrunk to these four', async () => {
  const script = failingScript(1)
  const { script: short, plays } = await shrink(script, async (one) => hasInOrder(one, defect))
  expect(short.steps.map(({ name }) => name)).toEqual(defect)
  expect(short.seed).toBe(1)
  expect(plays).toBeLessThan(150)
})

test('the remaining steps keep their seeds', async () => {
  const script = failingScript(2)
  const { script: short } = await shrink(script, async (one) => hasInOrder(one, defect))
  for (const step of short.steps) expect(script.steps).toContainEqual(step)
})

test('a step that only another one needs is removed after it', async () => {
  const steps = ['a', 'b', 'c'].map((name) => ({ name, seed: 1 }))
  // Without `a` it fails only if `c` is gone, too.
  const failing = new Set(['a b c', 'a b', 'b'])
  const { script } = await shrink({ seed: 1, steps }, async (one) =>
    failing.has(one.steps.map(({ name }) => name).join(' ')),
  )
  expect(script.steps.map(({ name }) => name)).toEqual(['b'])
})

test('shrinking ends at its limit of plays with the shortest failing script so far', async () => {
  const script = failingScript(1)
  let plays = 0
  const isFailing = async (one: Script) => {
    plays += 1
    return hasInOrder(one, defect)
  }
  const limited = await shrink(script, isFailing, 10)
  expect([plays, limited.plays]).toEqual([10, 10])
  expect(hasInOrder(limited.script, defect)).toBe(true)
})

test('a script that fails without any step becomes empty', async () => {
  const { script } = await shrink(writeScript(1, 300), async () => true)
  expect(script.steps).toEqual([])
})
