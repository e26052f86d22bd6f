import { describe, expect, test } from 'vitest'
import type { Webhook } from '../../../../server/store/entities/webhook-entities.ts'
import { matchEvent, type MatchWorld } from '../../../../server/hub/webhooks/publish/match.ts'
import { acmeId, makeEvent } from '../../../helpers/webhook-world.ts'

const webhook: Webhook = {
  id: 'webhook',
  ownerId: 'alice',
  watched: [{ type: 'org', name: 'acme' }],
  domains: ['repo', 'discussion'],
  status: 'enabled',
  consecutiveFailures: 0,
  createdAt: 0,
}
const world: MatchWorld = {
  canSee: () => true,
  leadsTo: () => false,
  ownerType: (ownerId) => (ownerId === acmeId ? 'org' : 'user'),
  isBlocked: () => false,
  hasQuota: () => true,
}

describe('matching an event', () => {
  test.each([
    ['repo', 'repo'],
    ['repo.content', 'repo'],
    ['discussion', 'discussion'],
    ['discussion.comment', 'discussion'],
  ] as const)('the scope %s belongs to the domain %s', (scope, domain) => {
    const matched = (['repo', 'discussion'] as const).filter(
      (one) => matchEvent({ ...webhook, domains: [one] }, makeEvent({ scope }), world).matched,
    )
    expect(matched).toEqual([domain])
  })

  test('a transfer matches the new owner by its name and its type', () => {
    const event = makeEvent({
      repo: { ...makeEvent().repo, name: 'labs/corpus', ownerId: 'labs' },
      movedTo: { name: 'acme/corpus', ownerId: acmeId },
    })
    const matches = (type: 'user' | 'org') =>
      matchEvent({ ...webhook, watched: [{ type, name: 'acme' }] }, event, world).matched
    expect([matches('org'), matches('user')]).toEqual([true, false])
  })
})
