import { describe, expect, test } from 'vitest'
import {
  factsOfKinds,
  factsWithin,
  mergeFacts,
  nameOfWholeTime,
  parseKinds,
  parseRange,
  rangeOf,
  rangeText,
} from '../../../renderer/features/home/model/timeline-filter.ts'
import type { LiveEntry } from '../../../server/contract/live.ts'

const now = Date.parse('2026-01-01T12:00:00.000Z')
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString()

const fact = (seq: number, minutes: number, type: string, data: object = {}): LiveEntry =>
  ({ seq, time: minutesAgo(minutes), type, data }) as unknown as LiveEntry
const signIn = (seq: number, minutes = 0) =>
  fact(seq, minutes, 'session.started', { userId: 'u', username: 'alice' })
const refusal = (seq: number, minutes = 0) =>
  fact(seq, minutes, 'token.refused', { error: 'invalid_grant', detail: 'used' })

const seqs = (entries: readonly LiveEntry[]) => entries.map(({ seq }) => seq)

describe('facts of the live feed and those that were read', () => {
  test('become one list, each fact once, newest first', () => {
    expect(seqs(mergeFacts([signIn(5), signIn(3)], [signIn(4), signIn(3), signIn(1)]))).toEqual([
      5, 4, 3, 1,
    ])
  })

  test('lose what was read before a reset', () => {
    const reset = fact(6, 0, 'sandbox.reset', { erasedRequests: 0 })
    expect(seqs(mergeFacts([signIn(7), reset], [signIn(5), signIn(4)]))).toEqual([7, 6])
  })
})

describe('the whole time', () => {
  const since = '2026-01-01T10:10:07.000Z'

  test.each([
    ['sandbox.started', 0, 'Since the start'],
    ['sandbox.reset', 0, 'Since the reset'],
    ['sandbox.reset', 3, /^Since \S+, all that is kept$/],
  ] as const)('after %s with %i dropped facts is named %s', (type, dropped, name) => {
    const named = nameOfWholeTime([signIn(2), fact(1, 5, type)], { since, dropped })
    expect(named).toMatch(name)
  })

  test('is the start until the facts are read', () => {
    expect(nameOfWholeTime([])).toBe('Since the start')
  })
})

describe('the filter', () => {
  const entries = [signIn(4, 1), refusal(3, 4), signIn(2, 30), refusal(1, 90)]

  test('of a span follows the sandbox clock and includes its bound', () => {
    const shown = (span: 'all' | '5m' | '1h') => seqs(factsWithin(entries, rangeOf(span, now)))
    expect([shown('all'), shown('5m'), shown('1h')]).toEqual([
      [4, 3, 2, 1],
      [4, 3],
      [4, 3, 2],
    ])
    expect(seqs(factsWithin([signIn(1, 5)], rangeOf('5m', now)))).toEqual([1])
  })

  test('of a range includes both of its ends', () => {
    const range = { from: now - 30 * 60_000, to: now - 4 * 60_000 }
    expect(seqs(factsWithin(entries, range))).toEqual([3, 2])
  })

  test('of kinds accepts any of them', () => {
    expect(seqs(factsOfKinds(entries, ['sign-ins']))).toEqual([4, 2])
    expect(seqs(factsOfKinds(entries, ['sign-ins', 'tokens']))).toEqual([4, 3, 2, 1])
    expect(seqs(factsOfKinds(entries, []))).toEqual([4, 3, 2, 1])
  })

  test('reads kinds from any URL', () => {
    expect(parseKinds('jobs,tokens,nonsense,')).toEqual(['tokens', 'jobs'])
    expect(parseKinds('')).toEqual([])
  })

  test('reads a range from its own text, and none from anything else', () => {
    const range = { from: now - 1000, to: now }
    expect(parseRange(rangeText(range))).toEqual(range)
    for (const text of [
      '',
      '~',
      'yesterday~today',
      minutesAgo(1),
      `${minutesAgo(1)}~${minutesAgo(2)}`,
    ]) {
      expect([text, parseRange(text)]).toEqual([text, undefined])
    }
  })
})
