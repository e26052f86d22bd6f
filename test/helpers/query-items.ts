import type { FlowItem, RequestItem } from '../../server/contract/control-requests.ts'
import type { QueriedDelivery } from '../../server/contract/query/subjects.ts'

/** Creates a refused token request. */
export function requestItem(changes: Partial<RequestItem> = {}): RequestItem {
  return {
    id: 'r1',
    at: '2026-05-01T10:00:00.000Z',
    endedAt: '2026-05-01T10:00:00.000Z',
    method: 'POST',
    path: '/oauth/token?trace=1',
    status: 400,
    durationMs: 120,
    app: { clientId: 'c-1', name: 'Team board' },
    user: { id: 'u1', username: 'alice', avatarUrl: '' },
    grantType: 'authorization_code',
    error: 'invalid_grant',
    detail: 'The code had expired.',
    flowId: 'f1',
    ...changes,
  }
}

/** Creates a sign-in that was completed in 30 seconds. */
export function flowItem(changes: Partial<FlowItem> = {}): FlowItem {
  return {
    id: 'f1',
    kind: 'authorization-code',
    app: { clientId: 'c-1', name: 'Team board' },
    user: { id: 'u1', username: 'alice', avatarUrl: '' },
    startedAt: '2026-05-01T10:00:00.000Z',
    lastAt: '2026-05-01T10:00:30.000Z',
    outcome: 'completed',
    explanation: 'The app received its token.',
    requestCount: 1,
    requests: [requestItem({ status: 200 })],
    ...changes,
  }
}

/** Creates a delivery that failed three times. */
export function queriedDelivery(changes: Partial<QueriedDelivery> = {}): QueriedDelivery {
  return {
    id: 'd1',
    webhookId: 'w1',
    eventId: 'e1',
    scope: 'repo.content',
    action: 'update',
    repo: 'acme/corpus',
    repoType: 'dataset',
    state: 'failed',
    hasEnded: true,
    at: Date.parse('2026-05-01T10:00:00.000Z'),
    attempts: 3,
    source: 'retry',
    status: 503,
    errorClass: 'http_status',
    durationMs: 1200,
    ...changes,
  }
}
