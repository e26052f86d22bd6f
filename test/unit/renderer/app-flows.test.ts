import { describe, expect, test } from 'vitest'
import type { FlowItem } from '../../../server/contract/control-requests.ts'
import { countFlows, passRate } from '../../../renderer/features/apps/model/app-flows.ts'

const flow = (outcome: FlowItem['outcome'], why: Pick<FlowItem, 'denied' | 'expired'> = {}) =>
  ({ outcome, ...why }) as FlowItem

describe('the pass rate of an app', () => {
  test('leaves out sign-ins that were denied, expired or are pending', () => {
    const counts = countFlows([
      flow('completed'),
      flow('completed'),
      flow('refused'),
      flow('refused', { denied: true }),
      flow('refused', { expired: true }),
      flow('refused', { expired: true }),
      flow('pending'),
    ])
    expect(counts).toEqual({ completed: 2, refused: 1, denied: 1, expired: 2, pending: 1 })
    expect(passRate(counts)).toBe('66 %')
  })

  test('is 100 % only if no sign-in was refused, and missing without a finished one', () => {
    const counts = { completed: 999, refused: 1, denied: 0, expired: 0, pending: 0 }
    expect(passRate(counts)).toBe('99 %')
    expect(passRate({ ...counts, refused: 0 })).toBe('100 %')
    expect(passRate({ ...counts, completed: 0, refused: 0 })).toBeUndefined()
  })
})
