import { expect, test } from 'vitest'
import type { DeliveryItem } from '../../../server/contract/control-deliveries.ts'
import { firstPane, shownAttempt } from '../../../renderer/features/deliveries/model/first-pane.ts'

type State = DeliveryItem['state']
const error = { class: 'http_error', message: 'The receiver responded with 500.' } as never
const failed = { number: 1, outcome: 'failed', error } as never
const succeeded = { number: 2, outcome: 'succeeded' } as never
const inFlight = { number: 2 } as never

test.each<[State, DeliveryItem['attempts'], string]>([
  ['waiting', [failed], 'response'],
  ['failed', [failed], 'response'],
  ['sending', [failed, inFlight], 'response'],
  ['cancelled', [failed], 'response'],
  ['succeeded', [failed, succeeded], 'summary'],
  ['queued', [], 'summary'],
  ['skipped', [], 'summary'],
])(
  'a delivery that is %s opens on the response only if its last result is a failure',
  (...given) => {
    const [state, attempts, pane] = given
    expect(firstPane({ state, attempts })).toBe(pane)
  },
)

test('an attempt in flight does not hide the last result', () => {
  expect(shownAttempt({ attempts: [failed, inFlight] })).toBe(failed)
  expect(shownAttempt({ attempts: [inFlight] })).toBe(inFlight)
  expect(shownAttempt({ attempts: [] })).toBeUndefined()
})
