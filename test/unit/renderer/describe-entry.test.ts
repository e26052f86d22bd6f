import { describe, expect, test } from 'vitest'
import { activityLines } from '../../../renderer/features/home/model/activity-lines.ts'
import { describeEntry, isListed } from '../../../renderer/features/home/model/describe-entry.ts'
import type { LiveData, LiveEntry, LiveType } from '../../../server/contract/live.ts'

const names = {
  user: (id: string) => `user ${id}`,
  app: (id: string) => `app ${id}`,
  webhook: (id: string) => `webhook ${id}`,
}

let seq = 0
function entry<T extends LiveType>(type: T, data: LiveData[T]): LiveEntry {
  seq += 1
  return { seq, time: '2026-01-01T00:00:00.000Z', type, data } as LiveEntry
}

const delivery = {
  deliveryId: 'd1',
  webhookId: 'w1',
  eventId: 'e1',
  scope: 'repo.content',
  action: 'update',
  repo: 'acme/corpus',
  repoType: 'dataset',
  state: 'succeeded',
} as const

const request = {
  id: 'r1',
  method: 'GET',
  path: '/oauth/authorize?client_id=secret',
  status: 400,
} as LiveData['request.completed']

const barrier = { barrierId: 'b', match: { route: '/api/models' }, count: 2 }

const repo = { id: 'x', type: 'model', name: 'alice/a', private: false, ownerId: 'o' } as const

describe('a fact of the live feed as a sentence', () => {
  test.each<[string, LiveEntry]>([
    ['Sandbox started at http://x', entry('sandbox.started', { url: 'http://x' })],
    ['Sandbox reset to the fixtures', entry('sandbox.reset', { erasedRequests: 0 })],
    [
      'Snapshot before restored | Request log cleared: 2 requests',
      entry('sandbox.reset', { erasedRequests: 2, snapshot: 'before' }),
    ],
    ['zoe signed in', entry('session.started', { userId: 'u1', username: 'zoe' })],
    ['user u1 signed out', entry('session.ended', { userId: 'u1' })],
    [
      'user u1 authorized app c1 | openid email',
      entry('authorization.granted', {
        userId: 'u1',
        clientId: 'c1',
        scopes: ['openid', 'email'],
        organizationIds: [],
      }),
    ],
    [
      'Authorization of app c1 failed: access_denied',
      entry('authorization.denied', { clientId: 'c1', error: 'access_denied' }),
    ],
    [
      'Authorization of app c1 failed: login_required | no session',
      entry('authorization.denied', {
        clientId: 'c1',
        error: 'login_required',
        detail: 'no session',
      }),
    ],
    [
      'Fault added: POST /oauth/token',
      entry('fault.added', { faultId: 'f', match: { method: 'POST', route: '/oauth/token' } }),
    ],
    [
      'Fault applied to any route | last time',
      entry('fault.hit', { faultId: 'f', match: {}, hits: 3, left: 0 }),
    ],
    [
      'Fault applied to deliveries of any webhook',
      entry('fault.hit', { faultId: 'f', match: { webhookId: '*' }, hits: 1 }),
    ],
    ['Fault removed: any route', entry('fault.removed', { faultId: 'f', match: {} })],
    ['Barrier added: /api/models', entry('barrier.added', { ...barrier, held: 0 })],
    ['Request held: /api/models', entry('barrier.held', { ...barrier, held: 1, requestId: 'r' })],
    [
      'Client of a held request disconnected: /api/models',
      entry('barrier.left', { ...barrier, held: 0, requestId: 'r' }),
    ],
    [
      'Barrier released: /api/models, 2 requests continued',
      entry('barrier.released', { ...barrier, held: 2 }),
    ],
    ['Snapshot before saved', entry('snapshot.kept', { name: 'before' })],
    ['Snapshot before deleted', entry('snapshot.deleted', { name: 'before' })],
    ['user u1 disconnected app c1', entry('consent.revoked', { userId: 'u1', clientId: 'c1' })],
    [
      'app c1 got a token for user u1 | authorization code',
      entry('token.issued', {
        tokenId: 't',
        userId: 'u1',
        clientId: 'c1',
        grant: 'authorization_code',
        scopes: [],
      }),
    ],
    [
      'Token issued for user u1 | minted',
      entry('token.issued', { tokenId: 't', userId: 'u1', grant: 'minted', scopes: [] }),
    ],
    [
      'Token refused: invalid_grant | the code was used',
      entry('token.refused', { error: 'invalid_grant', detail: 'the code was used' }),
    ],
    [
      'Token of user u1 revoked | by hand',
      entry('token.revoked', { tokenId: 't', userId: 'u1', because: 'by hand' }),
    ],
    [
      'app c1 is waiting for approval of device code AB-CD',
      entry('device.requested', { clientId: 'c1', userCode: 'AB-CD', expiresAt: '' }),
    ],
    [
      'user u1 approved AB-CD',
      entry('device.approved', { clientId: 'c1', userCode: 'AB-CD', userId: 'u1' }),
    ],
    [
      'user u1 denied AB-CD',
      entry('device.denied', { clientId: 'c1', userCode: 'AB-CD', userId: 'u1' }),
    ],
    ['App created: app c1', entry('app.created', { clientId: 'c1' })],
    ['App updated: app c1', entry('app.updated', { clientId: 'c1', changed: [] })],
    ['App deleted: c1', entry('app.deleted', { clientId: 'c1' })],
    ['Signing key rotated: k1', entry('key.rotated', { kid: 'k1' })],
    ['Webhook created', entry('webhook.created', { webhookId: 'w1', ownerId: 'u1' })],
    ['Webhook deleted', entry('webhook.deleted', { webhookId: 'w1' })],
    [
      'webhook w1 suspended | ten in a row',
      entry('webhook.suspended', { webhookId: 'w1', reason: 'ten in a row' }),
    ],
    [
      'Delivered repo.content · update to webhook w1',
      entry('delivery.succeeded', { ...delivery, attempt: 1, status: 204, durationMs: 1 }),
    ],
    [
      'Job of webhook w1 not run',
      entry('delivery.succeeded', { ...delivery, attempt: 1, durationMs: 1 }),
    ],
    [
      'Delivery to webhook w1 failing: repo.content · update | attempt 2, will retry',
      entry('delivery.waiting', { ...delivery, attempt: 2, nextRetryAt: '' }),
    ],
    [
      'Delivery to webhook w1 failed: repo.content · update | response 503',
      entry('delivery.failed', { ...delivery, attempt: 3, status: 503 }),
    ],
    [
      'Delivery to webhook w1 failed: repo.content · update | response nothing',
      entry('delivery.failed', { ...delivery, attempt: 3 }),
    ],
    ['acme requested a job', entry('job.created', { jobId: 'j1', namespace: 'acme' })],
  ])('%s', (wanted, fact) => {
    const { text, detail } = describeEntry(fact, names) ?? { text: 'nothing' }
    expect(detail === undefined ? text : `${text} | ${detail}`).toBe(wanted)
    expect(isListed(fact)).toBe(true)
  })

  test('a denial is neutral, whoever reports it', () => {
    const detail = 'The user denied the request.'
    const denial = { clientId: 'c1', error: 'access_denied', detail }
    const denied = describeEntry(entry('authorization.denied', { ...denial, userId: 'u1' }), names)
    expect(denied).toMatchObject({ tone: 'neutral', text: 'user u1 denied app c1' })
    const device = { clientId: 'c1', userCode: 'AB-CD', userId: 'u1' }
    expect(describeEntry(entry('device.denied', device), names)?.tone).toBe('neutral')
    const polled = 'The device code was denied by the user.'
    expect(
      describeEntry(entry('token.refused', { error: 'access_denied', detail: polled }), names),
    ).toBeUndefined()
  })

  test('an event of the hub says what caused it, unless a client did', () => {
    const details = (['api', 'trigger', 'synthetic'] as const).map((cause) => {
      const fact = { id: 'e', scope: 'repo', action: 'create', at: '', cause, repo } as const
      return describeEntry(entry('hub.event', fact), names)?.detail
    })
    expect(details).toEqual([undefined, 'triggered', 'payload only'])
  })

  test('a refused request leads to itself, without what stood in its query', () => {
    const line = describeEntry(
      entry('request.completed', { ...request, error: 'invalid_client' }),
      names,
    )
    expect(line).toEqual({
      icon: 'request',
      tone: 'bad',
      text: 'GET /oauth/authorize refused: 400 invalid_client',
      href: '/requests/r1',
    })
  })

  test('what is told by something else is not told twice', () => {
    const steps = [
      entry('request.completed', { ...request, status: 200 }),
      entry('delivery.queued', delivery),
      entry('delivery.attempted', { ...delivery, attempt: 1, source: 'auto', durationMs: 1 }),
      entry('webhook.updated', { webhookId: 'w1', changed: [] }),
      entry('fault.passed', { faultId: 'f', match: {}, matches: 1 }),
      entry('job.updated', { jobId: 'j1', namespace: 'acme', stage: 'RUNNING' }),
      entry('audit.recorded', { organizationId: 'o', auditId: 'a', type: 't' }),
      entry('account.changed', { kind: 'user', id: 'u1' }),
    ]
    expect(steps.filter(isListed)).toEqual([])
  })

  test('a link of a delivery or a job goes to that very one', () => {
    const failed = entry('delivery.failed', { ...delivery, attempt: 3 })
    const job = entry('job.created', { jobId: 'j1', namespace: 'acme' })
    expect(describeEntry(failed, names)?.href).toBe('/deliveries/d1')
    expect(describeEntry(job, names)?.href).toBe('/jobs/j1')
  })
})

describe('lines of the activity', () => {
  const signIn = (username: string) => entry('session.started', { userId: username, username })

  test('the same in a row is one line with its count and the newest time', () => {
    const facts = [signIn('bob'), signIn('bob'), signIn('alice'), signIn('bob')]
    const lines = activityLines(facts, names)
    expect(lines.map(({ text, times }) => [text, times])).toEqual([
      ['bob signed in', 2],
      ['alice signed in', 1],
      ['bob signed in', 1],
    ])
    expect(lines[0]?.entry).toBe(facts[0])
  })

  test('what differs in its detail alone is another line', () => {
    const facts = ['by hand', 'reset'].map((because) =>
      entry('token.revoked', { tokenId: 't', userId: 'u1', because }),
    )
    expect(activityLines(facts, names)).toHaveLength(2)
  })

  test('facts without a sentence neither take a line nor part two that are alike', () => {
    const facts = [signIn('a'), entry('delivery.queued', delivery), signIn('a')]
    expect(activityLines(facts, names).map(({ times }) => times)).toEqual([2])
  })
})
