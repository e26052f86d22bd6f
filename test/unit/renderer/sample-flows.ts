import type { FlowDetail, FlowStep } from '../../../server/contract/control-flows.ts'

/** A step that went well, half a second after the one before. */
export function makeStep(index: number, changes: Partial<FlowStep> = {}): FlowStep {
  return {
    id: `s${index}`,
    kind: 'message',
    from: 'browser',
    to: 'hub',
    name: 'authorization request',
    at: new Date(Date.UTC(2026, 0, 1) + index * 500).toISOString(),
    sinceMs: index * 500,
    tookMs: 12,
    outcome: 'ok',
    status: 302,
    requestId: `r${index}`,
    ...changes,
  }
}

export function makeFlow(steps: FlowStep[], changes: Partial<FlowDetail> = {}): FlowDetail {
  return {
    id: 'r0',
    kind: 'authorization-code',
    app: { clientId: 'c1', name: 'Team board' },
    user: { id: 'u1', username: 'alice', avatarUrl: '' },
    startedAt: '2026-01-01T00:00:00.000Z',
    lastAt: '2026-01-01T00:00:05.000Z',
    outcome: 'completed',
    explanation: 'The app received its token.',
    actors: [
      { actor: 'browser', name: 'Browser' },
      { actor: 'app', name: 'Team board' },
      { actor: 'hub', name: 'Hub' },
    ],
    steps,
    tokenIds: [],
    missing: [],
    ...changes,
  }
}

/** A step that is no message: nothing was answered. */
function makeAside(index: number, changes: Partial<FlowStep>): FlowStep {
  const { status: _status, tookMs: _took, requestId: _request, ...step } = makeStep(index)
  return { ...step, from: 'hub', to: 'hub', ...changes }
}

/** One of each that can be drawn. */
export const everyStep: FlowStep[] = [
  makeStep(0, { from: 'app', to: 'browser', name: 'redirect to the Hub', inferred: true }),
  makeStep(1),
  makeAside(2, {
    kind: 'waiting',
    from: 'browser',
    to: 'browser',
    name: 'looks at the consent page',
    tookMs: 3200,
  }),
  makeStep(3, { from: 'hub', to: 'browser', name: 'code → redirect URI' }),
  makeAside(4, {
    kind: 'clock',
    name: 'the clock was moved',
    movedMs: 3_600_000,
    from: 'hub',
    to: 'hub',
  }),
  makeAside(5, {
    kind: 'missing',
    name: 'requests are missing',
    from: 'hub',
    to: 'hub',
    explanation:
      'The log was capped in the middle of this sign-in: 12 requests are no longer there.',
    missingCount: 12,
  }),
  makeAside(6, {
    kind: 'polls',
    from: 'app',
    to: 'hub',
    name: 'device asks for its token',
    outcome: 'pending',
    polls: {
      count: 4,
      intervalSeconds: 5,
      expiresAt: '2026-01-01T00:05:00.000Z',
      list: [
        { sinceMs: 3000, answer: 'authorization_pending', requestId: 'p1' },
        { sinceMs: 8000, answer: 'authorization_pending', requestId: 'p2' },
        { sinceMs: 9000, answer: 'slow_down', requestId: 'p3' },
        { sinceMs: 19_000, answer: 'authorization_pending', requestId: 'p4' },
      ],
    },
  }),
  makeStep(7, {
    from: 'app',
    to: 'hub',
    name: 'token request with PKCE',
    outcome: 'refused',
    status: 400,
    error: 'invalid_grant',
    explanation:
      'The code was issued 61 seconds ago and lives for 60: it had expired before the app exchanged it. Start a new sign-in.',
  }),
  makeStep(8, {
    from: 'app',
    to: 'hub',
    name: 'userinfo request',
    outcome: 'broken',
    status: 0,
    explanation: 'A fault rule of the sandbox cut the connection.',
  }),
]
