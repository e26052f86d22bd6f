import { expect, test } from 'vitest'
import type { Attempt, Delivery } from '../../../../server/store/entities/webhook-entities.ts'
import { findIssues } from '../../../../server/hub/webhooks/views/issues.ts'

function undelivered(
  id: string,
  state: Delivery['state'],
  attempts: readonly Partial<Attempt>[],
  webhookId = 'w',
) {
  const delivery = { id, webhookId, state, attempts: attempts.length } as Delivery
  return {
    delivery,
    attempts: attempts.map((more) => ({ deliveryId: id, ...more }) as Attempt),
  }
}

const refused = (at: number): Partial<Attempt> => ({
  at,
  error: { class: 'connection_refused', message: 'refused' },
})
const answered = (at: number, status: number): Partial<Attempt> => ({
  at,
  status,
  error: { class: 'http_status', message: `status ${status}` },
})

test('groups deliveries by the way in which their last attempts failed', () => {
  const issues = findIssues([
    undelivered('a', 'waiting', [refused(10), refused(30)]),
    undelivered('b', 'failed', [refused(5), refused(20), refused(25)]),
    undelivered('c', 'waiting', [answered(40, 503)]),
    undelivered('d', 'waiting', [answered(41, 500)]),
    undelivered('e', 'waiting', [refused(50)], 'v'),
  ])
  expect(issues).toMatchObject([
    {
      webhookId: 'w',
      class: 'connection_refused',
      since: 5,
      last: { at: 30, deliveryId: 'a' },
      failing: 1,
      failed: 1,
      mostAttempts: 3,
    },
    { webhookId: 'w', class: 'http_status', status: 503, failing: 1 },
    { webhookId: 'w', class: 'http_status', status: 500, failing: 1 },
    { webhookId: 'v', class: 'connection_refused' },
  ])
})

test('starts an issue with the first failure of its cause', () => {
  const [issue] = findIssues([
    undelivered('a', 'waiting', [answered(1, 503), refused(2), refused(3)]),
  ])
  expect(issue).toMatchObject({ class: 'connection_refused', since: 2 })
})

test('judges a delivery whose retry is in flight by the attempt before', () => {
  const [issue] = findIssues([undelivered('a', 'sending', [refused(1), { at: 2 }])])
  expect(issue).toMatchObject({ class: 'connection_refused', failing: 1, last: { at: 1 } })
})

test('leaves out deliveries without a failed attempt', () => {
  expect(
    findIssues([undelivered('a', 'queued', []), undelivered('b', 'sending', [{ at: 1 }])]),
  ).toEqual([])
})
