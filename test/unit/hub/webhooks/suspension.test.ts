import { expect, test } from 'vitest'
import type { Webhook } from '../../../../server/store/entities/webhook-entities.ts'
import { profileNamed } from '../../../../server/hub/webhooks/delivery/profiles.ts'
import { afterFailure } from '../../../../server/hub/webhooks/delivery/suspension.ts'

const webhook: Webhook = {
  id: 'webhook',
  ownerId: 'alice',
  watched: [],
  domains: ['repo'],
  status: 'enabled',
  consecutiveFailures: 9,
  createdAt: 0,
}
const fail = (changes: Partial<Webhook>) =>
  afterFailure(
    { ...webhook, ...changes },
    { deliveryId: 'd', at: 1, error: { class: 'timeout', message: 'too slow' }, isLast: true },
    profileNamed('hub'),
    1,
  )

test('a webhook that its owner has disabled is not suspended by an attempt that ends later', () => {
  expect(fail({}).status).toBe('suspended-after-failure')
  expect(fail({ status: 'disabled' })).toMatchObject({
    status: 'disabled',
    consecutiveFailures: 9,
    failedAttempts: 1,
  })
})
