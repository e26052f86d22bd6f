import { expect, test } from 'vitest'
import { inOrder } from '../../../server/oauth/in-order.ts'

const row = ['first', 'second', 'third'] as const

test('steps run in the order of their row, each with what is known by then', async () => {
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

test('a refusal ends them, and who watches sees what was found out by then', async () => {
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

test('nothing of one run is known in the next', async () => {
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

test('steps that do not wait run without a break, so that nobody else comes between', async () => {
  const ran: string[] = []
  const steps = inOrder(row)<{ name: string }>()
    .step('first', ({ name }) => void ran.push(`${name} finds`))
    .step('second', ({ name }) => void ran.push(`${name} checks`))
    .step('third', ({ name }) => void ran.push(`${name} takes`))
  await Promise.all([steps.run({ name: 'a' }), steps.run({ name: 'b' })])
  expect(ran).toEqual(['a finds', 'a checks', 'a takes', 'b finds', 'b checks', 'b takes'])
})

test('only the next step of the row compiles, and nothing runs before all are there', () => {
  const steps = inOrder(row)<object>()
  // @ts-expect-error the first comes first
  steps.step('second', () => {})
  const unfinished = steps.step('first', () => {})
  // @ts-expect-error two are missing
  expect(() => unfinished.run({})).not.toThrow()
})
