import { describe, expect, test } from 'vitest'
import {
  activityLines,
  withoutEchoes,
} from '../../../renderer/features/overview/model/activity-lines.ts'
import type { LiveData, LiveEntry, LiveType } from '../../../server/contract/live.ts'

const names = {
  user: (id: string) => `user ${id}`,
  app: (id: string) => `app ${id}`,
  webhook: (id: string) => `hook ${id}`,
}

let seq = 0
function fact<T extends LiveType>(type: T, data: LiveData[T], second = seq): LiveEntry {
  seq += 1
  return { seq, time: new Date(second * 1000).toISOString(), type, data } as LiveEntry
}

const about = (deliveryId: string, webhookId = 'w') => ({
  deliveryId,
  webhookId,
  eventId: 'e',
  scope: 'repo.content',
  action: 'update' as const,
  repo: 'acme/corpus',
  repoType: 'dataset',
})
const waiting = (id: string, attempt = 1, webhookId = 'w') =>
  fact('delivery.waiting', {
    ...about(id, webhookId),
    state: 'waiting',
    attempt,
    nextRetryAt: '',
  })
const failed = (id: string, attempt = 3) =>
  fact('delivery.failed', {
    ...about(id),
    state: 'failed',
    attempt,
    status: 503,
  })
const succeeded = (id: string) =>
  fact('delivery.succeeded', {
    ...about(id),
    state: 'succeeded',
    attempt: 4,
    status: 200,
    durationMs: 1,
  })
const signIn = (username: string) => fact('session.started', { userId: username, username })
const request = (path: string, error: string, more: Partial<LiveData['request.completed']> = {}) =>
  fact('request.completed', {
    id: `r${seq}`,
    method: 'POST',
    path,
    status: 400,
    durationMs: 1,
    error,
    ...more,
  })
const refusal = (error: string) => fact('token.refused', { error, detail: 'used' })

/** Facts in the order of their sequence, as the functions expect them. */
const newestFirst = (facts: readonly LiveEntry[]) => facts.toReversed()

const linesOf = (facts: readonly LiveEntry[]) =>
  activityLines(newestFirst(facts), names).map(({ text, detail, times, isIssue }) => ({
    text: detail === undefined ? text : `${text} | ${detail}`,
    times,
    isIssue,
  }))

describe('a receiver that hangs', () => {
  const ids = Array.from({ length: 58 }, (_, index) => `d${index}`)

  test('is one line with its deliveries and attempts, however much else happens in between', () => {
    const facts = [1, 2, 3].flatMap((attempt) =>
      ids.flatMap((id) => [waiting(id, attempt), signIn(`${id} ${attempt}`)]),
    )
    const lines = linesOf(facts)
    expect(lines.filter(({ isIssue }) => isIssue)).toEqual([
      {
        text: 'Delivery to hook w failing: 58 deliveries, 3 attempts each',
        times: 1,
        isIssue: true,
      },
    ])
    expect(lines).toHaveLength(1 + 3 * 58)
  })

  test('leads to exactly its deliveries, each once', () => {
    const facts = [
      waiting('c', 1, 'v'),
      waiting('b'),
      waiting('a'),
      succeeded('d'),
      waiting('a', 2),
    ]
    const line = activityLines(newestFirst(facts), names).find(({ isIssue }) => isIssue)
    expect(new URL(line?.href ?? '', 'http://x').searchParams.get('q')).toBe('id:a,b')
  })

  test('is told apart from another one', () => {
    const lines = linesOf([waiting('a', 1, 'v'), waiting('b', 1, 'w'), waiting('c', 1, 'v')])
    expect(lines.map(({ text }) => text)).toEqual([
      'Delivery to hook v failing: 2 deliveries, 1 attempt each',
      'Delivery to hook w failing: repo.content · update, 1 attempt',
    ])
  })

  test('has failed when no retry is left, and says with what', () => {
    expect(linesOf(ids.flatMap((id) => [waiting(id, 2), failed(id)]))).toEqual([
      {
        text: 'Delivery to hook w failed: 58 deliveries, 3 attempts each | response 503',
        times: 1,
        isIssue: true,
      },
    ])
  })

  test('counts what failed, what will be retried and what was delivered since', () => {
    const facts = [waiting('a'), waiting('b'), failed('c'), failed('d', 2), succeeded('d')]
    expect(linesOf(facts)[1]).toEqual({
      text: 'Delivery to hook w failing: 4 deliveries, up to 3 attempts each | 2 will be retried · 1 failed · 1 delivered since · response 503',
      times: 1,
      isIssue: true,
    })
  })

  test('is no issue once everything was delivered or cancelled', () => {
    const cancelled = fact('delivery.cancelled', {
      ...about('b'),
      state: 'cancelled',
      because: 'by hand',
    })
    const lines = linesOf([waiting('a'), waiting('b'), succeeded('a'), cancelled])
    expect(lines.filter(({ isIssue }) => isIssue)).toEqual([])
    expect(lines.map(({ text }) => text)).toContain(
      'Delivery to hook w failed before: 2 deliveries, 1 attempt each | 1 delivered since',
    )
  })

  test('is judged by facts outside of the chosen span, too', () => {
    const [before, after] = [waiting('a'), succeeded('a')]
    const [line] = activityLines([before], names, [after, before])
    expect(line?.isIssue).toBe(false)
  })
})

describe('a refusal', () => {
  test('is one line, with a count and the time of the first', () => {
    const facts = [
      request('/api/x?a', 'invalid_token'),
      signIn('bob'),
      request('/api/x?b', 'invalid_token'),
    ]
    const [line, other] = activityLines(newestFirst(facts), names)
    expect(line).toMatchObject({ times: 2, since: facts[0]?.time, entry: facts[2] })
    expect(other?.text).toBe('bob signed in')
  })

  test('of another app or path is another line', () => {
    const facts = [
      request('/oauth/token', 'invalid_grant', { clientId: 'c1' }),
      request('/oauth/token', 'invalid_grant', { clientId: 'c2' }),
      request('/oauth/device', 'invalid_grant', { clientId: 'c2' }),
    ]
    expect(linesOf(facts)).toHaveLength(3)
  })

  test('of a token is not told again beside its request', () => {
    const facts = [
      refusal('invalid_grant'),
      request('/oauth/token', 'invalid_grant'),
      refusal('invalid_client'),
      refusal('invalid_grant'),
      request('/oauth/token', 'invalid_grant'),
    ]
    expect(withoutEchoes(newestFirst(facts)).map(({ type }) => type)).toEqual([
      'request.completed',
      'token.refused',
      'request.completed',
    ])
  })

  test('of another endpoint does not hide that of a token', () => {
    const facts = [refusal('invalid_token'), request('/api/x', 'invalid_token')]
    expect(withoutEchoes(newestFirst(facts))).toHaveLength(2)
  })

  test('is none while a device polls', () => {
    const facts = ['authorization_pending', 'slow_down'].flatMap((error) => [
      refusal(error),
      request('/oauth/token', error, { expected: true }),
    ])
    expect(linesOf(facts)).toEqual([])
  })
})
