import { expect, test } from 'vitest'
import type { Attempt, Delivery } from '../../../../server/store/entities/webhook-entities.ts'
import {
  findWindow,
  isWithin,
  readReportedChange,
} from '../../../../server/hub/webhooks/views/delivery-effects.ts'

const request = { method: 'POST', url: 'http://localhost/', headers: [] }
const attempt = (at: number, more: Partial<Attempt> = {}): Attempt => ({
  id: 'd/1',
  deliveryId: 'd',
  number: 1,
  source: 'auto',
  at,
  durationMs: 100,
  request,
  ...more,
})

test('a receiver acts from the start of the last attempt that reached it to 5 s after its end', () => {
  const { request: _request, ...unsent } = attempt(9000)
  expect(findWindow([attempt(1000), attempt(2000), unsent])).toEqual({ from: 2000, to: 7100 })
  expect(findWindow([unsent])).toBeUndefined()
  expect(findWindow([])).toBeUndefined()
  expect(findWindow([{ ...unsent, jobId: 'j' }])).toEqual({ from: 9000, to: 14_100 })
})

test("both ends belong to the span of a receiver's actions", () => {
  const window = { from: 10, to: 20 }
  expect([9, 10, 20, 21].map((at) => isWithin(window, at))).toEqual([false, true, true, false])
})

test('facts of a body count unless the body was edited', () => {
  const body = JSON.stringify({
    updatedRefs: [{ newSha: 'a' }, { newSha: null }],
    discussion: { num: 3 },
  })
  const told = (delivery: Partial<Delivery>) => readReportedChange(delivery as Delivery, body)
  expect(told({})).toEqual({ commitIds: ['a'], discussion: 3 })
  expect(told({ derivedFrom: 'o', duplicate: true })).toEqual({ commitIds: ['a'], discussion: 3 })
  expect(told({ derivedFrom: 'o' })).toEqual({ commitIds: [] })
  expect(readReportedChange({} as Delivery, '{"discussion":"x","updatedRefs":{}}')).toEqual({
    commitIds: [],
  })
})
