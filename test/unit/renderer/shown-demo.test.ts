import { describe, expect, test } from 'vitest'
import { type DemoPlace, shownDemo } from '../../../renderer/features/demos/shown-demo.ts'

const demo = (id: string, more: Partial<DemoPlace> = {}): DemoPlace => ({
  id,
  kind: 'sign-in',
  done: false,
  pace: 'steps',
  ...more,
})

describe('the bar of a demo', () => {
  test('is shown at its own diagram only', () => {
    const demos = [demo('b', { flowId: 'flow-b' }), demo('a', { flowId: 'flow-a' })]
    const shownAt = (chosen?: string, newest?: string) => shownDemo(demos, chosen, newest)?.id
    expect(shownAt('flow-a')).toBe('a')
    expect(shownAt('flow-b')).toBe('b')
    expect(shownAt('flow-of-an-app')).toBeUndefined()
    expect(shownAt(undefined, 'flow-b')).toBe('b')
    expect(shownAt(undefined, 'flow-of-an-app')).toBeUndefined()
    expect(shownAt()).toBeUndefined()
  })

  test('is shown where no sign-in is chosen until the demo has one', () => {
    const demos = [demo('b'), demo('a', { flowId: 'flow-a' })]
    expect(shownDemo(demos, undefined, 'flow-a')?.id).toBe('b')
    expect(shownDemo(demos, 'flow-a', 'flow-a')?.id).toBe('a')
    expect(shownDemo([demo('w', { kind: 'webhook' })], undefined, 'flow-a')).toBeUndefined()
  })

  test('is left out for a demo that ran at once and succeeded', () => {
    const done = { flowId: 'flow', done: true, outcome: 'completed' } as const
    expect(shownDemo([demo('a', { ...done, pace: 'at-once' })], 'flow', 'flow')).toBeUndefined()
    expect(shownDemo([demo('a', done)], 'flow', 'flow')?.id).toBe('a')
    const refused = { ...done, pace: 'at-once', outcome: 'refused' } as const
    expect(shownDemo([demo('a', refused)], 'flow', 'flow')?.id).toBe('a')
  })
})
