import { describe, expect, test } from 'vitest'
import {
  describeSteps,
  planStorm,
  seedOf,
  type StormStep,
} from '../../../../server/lab/audit/receiver/storm-order.ts'

const seeds = Array.from({ length: 20 }, (_, index) => `seed ${index}`)

const deliveriesOf = (steps: readonly StormStep[]) =>
  steps.flatMap((step) => (step.how === 'restart' ? [] : [step]))

describe('the order of a storm', () => {
  test.each(seeds)('follows from %s alone', (seed) => {
    expect(planStorm(seed, 100)).toEqual(planStorm(seed, 100))
  })

  test('differs between seeds', () => {
    const orders = seeds.map((seed) =>
      deliveriesOf(planStorm(seed, 100))
        .map(({ event }) => event)
        .join(),
    )
    expect(new Set(orders).size).toBe(seeds.length)
  })

  test.each(seeds)('has each event whole, out of order and some of them twice by %s', (seed) => {
    const steps = deliveriesOf(planStorm(seed, 100))
    const whole = steps.filter(({ how }) => how !== 'cut').map(({ event }) => event)
    expect([...new Set(whole)].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, event) => event),
    )
    expect(whole.length).toBeGreaterThan(100)
    expect(whole).not.toEqual(whole.toSorted((a, b) => a - b))
    expect(new Set(steps.map(({ how }) => how))).toEqual(new Set(['plain', 'slow', 'cut']))
  })

  test.each(seeds)(
    'has the named steps only, with restarts or without, by a part of %s',
    (seed) => {
      const whole = planStorm(seed, 100, true)
      const some = whole.filter(({ how, name }) => how === 'restart' || name.endsWith('7'))
      expect(planStorm(seedOf(seed, some), 100, true)).toEqual(some)
      // A part of a part belongs to the same seed.
      expect(seedOf(seedOf(seed, some), some)).toBe(seedOf(seed, some))
      const deliveries = deliveriesOf(some)
      expect(planStorm(seedOf(seed, deliveries), 100)).toEqual(deliveries)
    },
  )

  test('refuses a seed with steps that the order does not have', () => {
    expect(() => planStorm('one:3.999', 10)).toThrow(
      'The seed one:3.999 names the step 999, which its order does not have. Use the same number of events',
    )
    expect(() => planStorm('one:r1', 10)).toThrow('Use the same restart as in the storm')
  })

  test('is described in words, without all steps of a long one', () => {
    const steps = planStorm('one', 100, true).filter(({ how }) => how !== 'plain')
    expect(describeSteps(steps)).toMatch(/^(\S.+?, ){11}\S.+ and \d+ more$/)
    const text = steps.map((step) => describeSteps([step])).join(', ')
    for (const how of [/event \d+ \(cut\)/, /event \d+ \(slow\)/, /restart/]) {
      expect(text).toMatch(how)
    }
  })

  test.each(seeds)('has restarts among the same deliveries by %s', (seed) => {
    for (const events of [2, 100]) {
      const steps = planStorm(seed, events, true)
      expect(deliveriesOf(steps)).toEqual(planStorm(seed, events))
      expect(steps.length - deliveriesOf(steps).length).toBe(events === 2 ? 1 : 3)
      // After the last delivery it would show nothing.
      expect(steps.at(-1)?.how).not.toBe('restart')
    }
  })
})
