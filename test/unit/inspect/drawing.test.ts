import { describe, expect, test } from 'vitest'
import { deviceCodeGrant } from '../../../server/contract/words/oauth-words.ts'
import { drawFlow } from '../../../server/inspect/drawing/draw-flow.ts'
import { createRequestLog, type RequestRecord } from '../../../server/inspect/log/request-log.ts'
import { createTestDeps, type TestWorld } from '../../helpers/deps.ts'
import { logCaps, requestRecord } from '../../helpers/records.ts'

const world: TestWorld = await createTestDeps()
const { deps } = world

function draw(records: readonly RequestRecord[], cap = 100_000) {
  const log = createRequestLog(logCaps(cap))
  for (const record of records) {
    log.add(record)
    // Somebody watches: only what was grouped before it was dropped is known to be missing.
    log.flows.ofRequest(record.id)
  }
  const [flow] = log.flows.values()
  if (flow === undefined) throw new Error('the requests are no sign-in')
  const nowMs = (records.at(-1)?.receivedMs ?? 0) + 1000
  return drawFlow(deps, { flow, clockMoves: log.clockMoves(), nowMs })
}

const startDevice = () =>
  requestRecord({
    url: '/oauth/device',
    form: { client_id: 'app' },
    answer: { device_code: 'd', user_code: 'USER' },
  })
const poll = (error?: string, changes = {}) =>
  requestRecord({
    url: '/oauth/token',
    form: { grant_type: deviceCodeGrant, device_code: 'd' },
    ...(error === undefined
      ? { answer: { access_token: 't' } }
      : { status: 400, error, answer: { error } }),
    ...changes,
  })
const use = () => requestRecord({ url: '/api/whoami-v2', headers: { authorization: 'Bearer t' } })

describe('polls of a device (RFC 8628 §3.5)', () => {
  test('are one step, however many there are', () => {
    const start = startDevice()
    const polls = Array.from({ length: 5000 }, (_, index) =>
      poll(index % 10 === 9 ? 'slow_down' : 'authorization_pending'),
    )
    const { steps } = draw([start, ...polls, poll()])
    expect(steps.map(({ kind }) => kind).filter((kind) => kind === 'polls')).toHaveLength(1)
    expect(steps.length).toBeLessThan(10)
    const step = steps.find(({ kind }) => kind === 'polls')
    expect(step?.polls?.count).toBe(5000)
    expect(step?.polls?.list).toHaveLength(200)
    expect(step?.polls?.list[0]?.requestId).toBe(polls[0]?.id)
    expect(step?.polls?.list.at(-1)?.requestId).toBe(polls.at(-1)?.id)
    expect(step?.explanation).toContain('4500 × authorization_pending, 500 × slow_down')
  })

  test('that a rule breaks are polls, too, since the device goes on asking', () => {
    const { steps } = draw([
      startDevice(),
      poll('authorization_pending'),
      poll('http_503', { status: 503, faultId: 'rule' }),
      poll(undefined, { status: 0, faultId: 'rule' }),
    ])
    expect(
      steps.find(({ kind }) => kind === 'polls')?.polls?.list.map(({ answer }) => answer),
    ).toEqual(['authorization_pending', 'http_503', 'cut off'])
  })

  test('end with one that is a message of its own', () => {
    const records = [startDevice(), poll('authorization_pending'), poll('expired_token')]
    const { steps, expired } = draw(records)
    expect(expired).toBe(true)
    expect(steps.filter(({ requestId }) => requestId === records[2]?.id)).toHaveLength(2)
    expect(steps.at(-1)).toMatchObject({ outcome: 'refused', error: 'expired_token' })
  })
})

test('an app that proves who it is has no token yet', () => {
  const start = requestRecord({
    url: '/oauth/device',
    form: { scope: 'openid' },
    headers: { authorization: 'Basic eDp5' },
    answer: { device_code: 'd', user_code: 'USER' },
  })
  expect(draw([start]).outcome).toBe('pending')
})

describe('what the log no longer has', () => {
  test('is a step of its own, and counted', () => {
    const records = [startDevice(), ...Array.from({ length: 30 }, () => poll('slow_down'))]
    const { id, steps, missing } = draw(records, 10)
    expect(id).toBe(records[0]?.id)
    expect(steps[0]).toMatchObject({ kind: 'missing', missingCount: 21, sinceMs: 0 })
    expect(missing).toEqual([expect.stringContaining('first 21 requests')])
    expect(steps.find(({ kind }) => kind === 'polls')?.polls?.count).toBe(10)
  })

  test('is named where a code is exchanged that somebody was given', () => {
    const codeOf = (id: string) =>
      requestRecord({
        url: '/oauth/token',
        form: { grant_type: 'authorization_code', code: id },
        status: 400,
        error: 'invalid_grant',
      })
    deps.state.codes.put({
      id: 'given-code',
      clientId: 'app',
      userId: 'u'.repeat(24),
      redirectUri: 'http://localhost/callback',
      scopes: [],
      organizationIds: [],
      authTime: 0,
      createdAt: 0,
      expiresAt: 0,
      familyId: 'f',
    })
    expect(draw([codeOf('given-code')]).missing).toHaveLength(1)
    // Who makes up a code has no beginning that could be missing.
    expect(draw([codeOf('guessed-code')]).missing).toEqual([])
  })

  test('of a body is its size; of thousands the first few are named', () => {
    const cut = { size: 1_000_000, truncated: true, headers: {} }
    const records = Array.from({ length: 20 }, () => ({ ...use(), response: cut }))
    const { missing } = draw([startDevice(), poll(), ...records])
    expect(missing).toHaveLength(6)
    expect(missing[0]).toContain('GET /api/whoami-v2 was not kept whole: 1000000 bytes')
    expect(missing.at(-1)).toBe('15 more bodies were not kept whole.')
  })
})

/** Small and seeded: what fails can be repeated. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
}

test.each(Array.from({ length: 30 }, (_, seed) => seed + 1))(
  'every request is drawn, and drawn once (seed %i)',
  (seed) => {
    const next = random(seed)
    const makers = [
      () => poll('authorization_pending'),
      () => poll('slow_down'),
      () => poll('http_500', { status: 500, faultId: 'r' }),
      () => poll(undefined, { status: 0 }),
      () => requestRecord({ url: '/oauth/device?user_code=USER', durationMs: next() * 30 }),
      () => requestRecord({ url: '/oauth/device/verify', form: { user_code: 'USER' } }),
      use,
    ]
    const start = [startDevice(), poll()]
    const rest = Array.from({ length: 60 }, () => makers[Math.floor(next() * makers.length)]?.())
    const records = [...start, ...rest.filter((record) => record !== undefined)]
    const { steps } = draw(records)
    const polls = steps.find(({ kind }) => kind === 'polls')?.polls
    const seen = [
      ...steps.flatMap(({ id, requestId }) => (id === requestId ? [requestId] : [])),
      ...(polls?.list ?? []).map(({ requestId }) => requestId),
    ]
    expect(polls?.count ?? 0).toBe(polls?.list.length ?? 0)
    expect(seen.toSorted()).toEqual(records.map(({ id }) => id).toSorted())
    expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length)
    const times = steps.map(({ sinceMs }) => sinceMs)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
  },
)

test('whatever strangers write is text, and no secret of theirs is told', () => {
  const strange = '"><script>\u0000\u202E'
  const record = requestRecord({
    url: `/oauth/authorize?client_id=${encodeURIComponent(strange)}&state=x`,
    clientId: strange,
    status: 400,
    error: 'invalid_request',
    detail: `${strange} access_token=hf_oauth_sandbox_abcdefghijklmnopqrst`,
    message: 'No.',
  })
  const { actors, steps } = draw([record])
  expect(actors).toContainEqual({ actor: 'app', name: strange })
  const { explanation } = steps.find(({ status }) => status === 400) ?? {}
  expect(explanation).toContain(strange)
  expect(explanation).not.toContain('abcdefghijklmnop')
})
