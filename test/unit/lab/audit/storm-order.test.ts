import { describe, expect, test } from 'vitest'
import { planStorm } from '../../../../server/lab/audit/receiver/storm-order.ts'

const seeds = Array.from({ length: 20 }, (_, index) => `seed ${index}`)

describe('the order of a storm', () => {
  test.each(seeds)('follows from %s alone', (seed) => {
    expect(planStorm(seed, 100)).toEqual(planStorm(seed, 100))
  })

  test('differs between seeds', () => {
    const orders = seeds.map((seed) =>
      planStorm(seed, 100)
        .map(({ event }) => event)
        .join(),
    )
    expect(new Set(orders).size).toBe(seeds.length)
  })

  test.each(seeds)('has each event whole, out of order and some of them twice by %s', (seed) => {
    const steps = planStorm(seed, 100)
    const whole = steps.filter(({ how }) => how !== 'cut').map(({ event }) => event)
    expect([...new Set(whole)].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, event) => event),
    )
    expect(whole.length).toBeGreaterThan(100)
    expect(whole).not.toEqual(whole.toSorted((a, b) => a - b))
    expect(new Set(steps.map(({ how }) => how))).toEqual(new Set(['plain', 'slow', 'cut']))
  })
})
