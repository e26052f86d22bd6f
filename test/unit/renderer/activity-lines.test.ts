import { describe, expect, test } from 'vitest'
import {
  activityLines,
  type LoggedCounts,
  withoutEchoes,
} from '../../../renderer/features/home/model/activity-lines.ts'
import { compileQuery } from '../../../server/contract/query/compile-query.ts'
import { refusalReason } from '../../../server/contract/query/refusal-reason.ts'
import { requestSubject } from '../../../server/contract/query/subjects.ts'
import { requestItem } from '../../helpers/query-items.ts'
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

/** Counts of the logs, as the sandbox has them. */
const logged = (
  undelivered: Record<string, { failing: number; failed: number }> = {},
  refusals: Record<string, number> = {},
): LoggedCounts => ({
  undelivered: (id) => new Map(Object.entries(undelivered)).get(id),
  refusals: new Map(Object.entries(refusals)),
})

const linesOf = (facts: readonly LiveEntry[], counts = logged()) =>
  activityLines(newestFirst(facts), names, counts).map(({ text, detail, times, isIssue }) => ({
    text: detail === undefined ? text : `${text} | ${detail}`,
    times,
    isIssue,
  }))

describe('a receiver that hangs', () => {
  const ids = Array.from({ length: 58 }, (_, index) => `d${index}`)

  test('is one line with the number of its deliveries, however much else happens in between', () => {
    const facts = [1, 2, 3].flatMap((attempt) =>
      ids.flatMap((id) => [waiting(id, attempt), signIn(`${id} ${attempt}`)]),
    )
    const lines = linesOf(facts, logged({ w: { failing: 58, failed: 0 } }))
    expect(lines.filter(({ isIssue }) => isIssue)).toEqual([
      { text: 'Deliveries to hook w: 58 failing', times: 1, isIssue: true },
    ])
    expect(lines).toHaveLength(1 + 3 * 58)
  })

  test('is counted from its deliveries, not from the facts that are left', () => {
    const counts = logged({ w: { failing: 12_000, failed: 7000 } })
    expect(linesOf([waiting('a'), failed('b')], counts)).toEqual([
      {
        text: 'Deliveries to hook w: 12,000 failing, 7,000 failed | response 503',
        times: 1,
        isIssue: true,
      },
    ])
  })

  test('leads to exactly its undelivered deliveries by a short query', () => {
    const facts = [waiting('c', 1, 'v'), ...ids.map((id) => waiting(id)), succeeded('d0')]
    const counts = logged({ w: { failing: 57, failed: 0 }, v: { failing: 1, failed: 0 } })
    const [line] = activityLines(newestFirst(facts), names, counts).filter(
      ({ href }) => href?.includes('?q=') === true,
    )
    expect(new URL(line?.href ?? '', 'http://x').searchParams.get('q')).toBe(
      'webhook:w status:failing,failed',
    )
  })

  test('is told apart from another one, and a single delivery leads to itself', () => {
    const facts = [waiting('a', 1, 'v'), waiting('b', 1, 'w'), waiting('c', 1, 'v')]
    const counts = logged({ v: { failing: 2, failed: 0 }, w: { failing: 1, failed: 0 } })
    expect(linesOf(facts, counts).map(({ text }) => text)).toEqual([
      'Deliveries to hook v: 2 failing',
      'Delivery to hook w failing: repo.content · update | attempt 1, will retry',
    ])
    const lines = activityLines(newestFirst(facts), names, counts)
    expect(lines[1]?.href).toBe('/deliveries/b')
  })

  test('has failed when no retry is left, and says with what', () => {
    const facts = ids.flatMap((id) => [waiting(id, 2), failed(id)])
    expect(linesOf(facts, logged({ w: { failing: 0, failed: 58 } }))).toEqual([
      { text: 'Deliveries to hook w: 58 failed | response 503', times: 1, isIssue: true },
    ])
  })

  test('counts what failed and what will be retried, without what was delivered since', () => {
    const facts = [waiting('a'), waiting('b'), failed('c'), failed('d', 2), succeeded('d')]
    expect(linesOf(facts, logged({ w: { failing: 2, failed: 1 } }))[1]).toEqual({
      text: 'Deliveries to hook w: 2 failing, 1 failed | response 503',
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
    const facts = [waiting('a'), waiting('b'), succeeded('a'), cancelled]
    const lines = linesOf(facts, logged({ w: { failing: 0, failed: 0 } }))
    expect(lines.filter(({ isIssue }) => isIssue)).toEqual([])
    expect(lines.map(({ text }) => text)).toContain(
      'Deliveries to hook w failed before | None is failing or failed now',
    )
  })

  test('is no issue when its webhook is deleted', () => {
    const [line] = activityLines([waiting('a')], names, logged())
    expect(line).toMatchObject({ isIssue: false, href: '/deliveries/a' })
  })
})

describe('a refusal', () => {
  const used = 'The code was used before.'

  test('is one line, with the number in the log and the time of the first', () => {
    const facts = [
      request('/api/x?a', 'invalid_token'),
      signIn('bob'),
      request('/api/x?b', 'invalid_token'),
    ]
    const counts = logged({}, { invalid_token: 9 })
    const [line, other] = activityLines(newestFirst(facts), names, counts)
    expect(line).toMatchObject({
      text: 'POST /api/x refused: 400 invalid_token · 9 in the log',
      times: 1,
      since: facts[0]?.time,
      entry: facts[2],
    })
    expect(other?.text).toBe('bob signed in')
  })

  test('is grouped by its explanation, whatever app, path and code it has', () => {
    const facts = [
      request('/oauth/token', 'invalid_grant', { clientId: 'c1', detail: used }),
      request('/oauth/token', 'invalid_grant', { clientId: 'c2', detail: used }),
      request('/oauth/device', 'invalid_request', { clientId: 'c2', detail: used }),
      request('/oauth/token', 'invalid_grant', { clientId: 'c2', detail: 'The code is unknown.' }),
    ]
    const counts = logged({}, { [used]: 3, 'The code is unknown.': 1 })
    expect(linesOf(facts, counts).map(({ text }) => text)).toEqual([
      'POST /oauth/token refused: 400 invalid_grant | The code is unknown.',
      `Requests refused · 3 in the log | ${used}`,
    ])
  })

  test('leads to exactly those of its explanation by a query', () => {
    const hostile = 'The "redirect_uri", app:x is\nnot * registered.'
    const facts = [hostile, hostile].map((detail) =>
      request('/oauth/authorize', 'invalid_request', { detail }),
    )
    const [line] = activityLines(newestFirst(facts), names, logged({}, { [hostile]: 2 }))
    const query = new URL(line?.href ?? '', 'http://x').searchParams.get('q') ?? ''
    const { test: isFound, issues } = compileQuery('requests', query, { now: 0 })
    expect(issues).toEqual([])
    const found = [hostile, `${hostile} More.`, 'Other.'].map((detail) =>
      isFound(requestSubject(requestItem({ detail }))),
    )
    expect(found).toEqual([true, false, false])
  })

  test('with a long explanation has a short link that finds it', () => {
    const long = `None of ${'http://localhost/callback, '.repeat(1000)}fits.`
    const facts = [long, long].map((detail) => request('/oauth/authorize', 'x', { detail }))
    const counts = logged({}, { [refusalReason({ detail: long })]: 2 })
    const [line] = activityLines(newestFirst(facts), names, counts)
    expect(line?.href?.length).toBeLessThan(500)
    const query = new URL(line?.href ?? '', 'http://x').searchParams.get('q') ?? ''
    const { test: isFound } = compileQuery('requests', query, { now: 0 })
    expect(isFound(requestSubject(requestItem({ detail: long })))).toBe(true)
  })

  test('of an audit is folded into one line, and is no issue', () => {
    const facts = ['a', 'b', 'c'].map((detail) =>
      request(`/oauth/${detail}`, 'server_error', { detail, audit: true }),
    )
    expect(linesOf(facts)).toEqual([
      {
        text: 'Requests of audits refused | An audit provoked them; they are no failures',
        times: 1,
        isIssue: false,
      },
    ])
    const [line] = activityLines(newestFirst(facts), names)
    expect(line).toMatchObject({ tone: 'neutral', href: '/requests?q=is%3Aaudit' })
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
