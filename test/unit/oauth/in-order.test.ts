import { expect, test } from 'vitest'
import { inOrder } from '../../../server/oauth/in-order.ts'

const row = ['first', 'second', 'third'] as const

test('steps run in their order, each with the results of the steps before it', async () => {
  const known: object[] = []
  const steps = inOrder(row)<{ asked: string }>()
    .step('first', (request) => {
      known.push({ ...request })
      return { one: request.asked.length }
    })
    .step('second', async (request) => {
      known.push({ ...request })
      return { two: request.one * 2 }
    })
    .step('third', (request) => {
      known.push({ ...request })
    })
  expect(await steps.run({ asked: 'abc' })).toEqual({ asked: 'abc', one: 3, two: 6 })
  expect(known).toEqual([
    { asked: 'abc' },
    { asked: 'abc', one: 3 },
    { asked: 'abc', one: 3, two: 6 },
  ])
})

test('a refusal ends the steps, and an observer gets the results so far', async () => {
  const steps = inOrder(row)<object>()
    .step('first', () => ({ one: 1 }))
    .step('second', (): object => {
      throw new Error('refused')
    })
    .step('third', () => {
      throw new Error('never reached')
    })
  let seen = {}
  const refused = steps.run({}, (known) => {
    seen = known
  })
  await expect(refused).rejects.toThrow('refused')
  expect(seen).toEqual({ one: 1 })
})

test('a run knows no results of the run before it', async () => {
  const known: object[] = []
  const steps = inOrder(row)<{ asked?: string }>()
    .step('first', (request) => {
      known.push({ ...request })
      return request.asked === undefined ? undefined : { one: 1 }
    })
    .step('second', () => {})
    .step('third', () => {})
  const first = { asked: 'abc' }
  await steps.run(first)
  expect(first).toEqual({ asked: 'abc' })
  expect(await steps.run({})).toEqual({})
  expect(known).toEqual([{ asked: 'abc' }, {}])
})

test('synchronous steps run without a break', async () => {
  const ran: string[] = []
  const steps = inOrder(row)<{ name: string }>()
    .step('first', ({ name }) => void ran.push(`${name} finds`))
    .step('second', ({ name }) => void ran.push(`${name} checks`))
    .step('third', ({ name }) => void ran.push(`${name} takes`))
  await Promise.all([steps.run({ name: 'a' }), steps.run({ name: 'b' })])
  expect(ran).toEqual(['a finds', 'a checks', 'a takes', 'b finds', 'b checks', 'b takes'])
})

test('only the next step compiles, and nothing runs before all steps are defined', () => {
  const steps = inOrder(row)<object>()
  // @ts-expect-error the first comes first
  steps.step('second', () => {})
  const unfinished = steps.step('first', () => {})
  // @ts-expect-error two are missing
  expect(() => unfinished.run({})).not.toThrow()
})
