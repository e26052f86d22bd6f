import { describe, expect, test } from 'vitest'
import { createLiveHistory } from '../../../renderer/api/live-history.ts'
import { activityLines } from '../../../renderer/features/home/model/activity-lines.ts'
import { isListed } from '../../../renderer/features/home/model/describe-entry.ts'
import type { LiveEntry } from '../../../server/contract/live.ts'

const time = '2026-01-01T00:00:00.000Z'
const names = { user: () => 'alice', app: () => 'My app', webhook: () => 'bot' }

const signIn = (seq: number): LiveEntry => ({
  seq,
  time,
  type: 'session.started',
  data: { userId: 'u', username: `user-${seq}` },
})
const request = (seq: number, error?: string): LiveEntry => ({
  seq,
  time,
  type: 'request.completed',
  data: {
    id: `r${seq}`,
    method: 'GET',
    path: '/api/whoami-v2',
    status: error ? 401 : 200,
    durationMs: 1,
    ...(error && { error }),
  },
})
const reset = (seq: number): LiveEntry => ({
  seq,
  time,
  type: 'sandbox.reset',
  data: { erasedRequests: 5 },
})

function setUp() {
  const history = createLiveHistory(isListed)
  const publish = (entries: LiveEntry[], gap = false) =>
    history.add({ cursor: 'c', entries, ...(gap && { gap: true as const }) })
  const texts = () => activityLines(history.entries(), names).map(({ text }) => text)
  return { history, publish, texts }
}

describe('activity', () => {
  test('stays while requests come by the thousand, answered or refused', () => {
    const { publish, texts } = setUp()
    publish([signIn(1)])
    for (let seq = 2; seq < 3000; seq += 2)
      publish([request(seq), request(seq + 1, 'invalid_token')])
    expect(texts()).toEqual(['GET /api/whoami-v2 refused: 401 invalid_token', 'user-1 signed in'])
  })

  test('stays when the feed dropped some facts', () => {
    const { publish, texts } = setUp()
    publish([signIn(1)])
    publish([signIn(500)], true)
    expect(texts()).toEqual(['user-500 signed in', 'user-1 signed in'])
  })

  test('tells nothing twice when the feed is read again', () => {
    const { publish, texts } = setUp()
    publish([signIn(1), signIn(2)])
    publish([signIn(2), signIn(3)])
    expect(texts()).toEqual(['user-3 signed in', 'user-2 signed in', 'user-1 signed in'])
  })

  test('begins anew at a reset and in another run', () => {
    const { publish, texts } = setUp()
    publish([signIn(1)])
    publish([reset(2), signIn(3)], true)
    expect(texts()).toHaveLength(2)
    expect(texts()[0]).toBe('user-3 signed in')
    publish([signIn(1)], true)
    expect(texts()).toEqual(['user-1 signed in'])
  })

  test('tells the same in a row once, with how often', () => {
    const { history, publish } = setUp()
    publish([request(1, 'invalid_token'), request(2, 'invalid_token'), signIn(3)])
    expect(activityLines(history.entries(), names).map(({ times, href }) => [times, href])).toEqual(
      [
        [1, undefined],
        [1, '/requests?q=is%3Arefused%20reason%3A%22invalid_token%22'],
      ],
    )
  })
})
