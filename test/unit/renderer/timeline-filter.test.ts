import { describe, expect, test } from 'vitest'
import {
  filterFacts,
  isEmpty,
  mergeFacts,
  parseKinds,
} from '../../../renderer/features/overview/model/timeline-filter.ts'
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
const everything = { span: 'all', kinds: [], failedOnly: false } as const

describe('what the feed tells and what was read', () => {
  test('is one list, each fact once, newest first', () => {
    expect(seqs(mergeFacts([signIn(5), signIn(3)], [signIn(4), signIn(3), signIn(1)]))).toEqual([
      5, 4, 3, 1,
    ])
  })

  test('leaves out what was read before a reset', () => {
    const reset = fact(6, 0, 'sandbox.reset', { erasedRequests: 0 })
    expect(seqs(mergeFacts([signIn(7), reset], [signIn(5), signIn(4)]))).toEqual([7, 6])
  })
})

describe('the filter', () => {
  const entries = [signIn(4, 1), refusal(3, 4), signIn(2, 30), refusal(1, 90)]

  test('of time goes by the sandbox clock, its bound included', () => {
    const shown = (span: 'all' | '5m' | '1h') =>
      seqs(filterFacts(entries, { ...everything, span }, now).shown)
    expect([shown('all'), shown('5m'), shown('1h')]).toEqual([
      [4, 3, 2, 1],
      [4, 3],
      [4, 3, 2],
    ])
    expect(seqs(filterFacts([signIn(1, 5)], { ...everything, span: '5m' }, now).shown)).toEqual([1])
  })

  test('of kinds takes any of them, and counts the failures of those alone', () => {
    const of = (kinds: Parameters<typeof filterFacts>[1]['kinds']) =>
      filterFacts(entries, { ...everything, kinds }, now)
    expect(seqs(of(['sign-ins']).shown)).toEqual([4, 2])
    expect(seqs(of(['sign-ins']).failed)).toEqual([])
    expect(seqs(of(['sign-ins', 'tokens']).shown)).toEqual([4, 3, 2, 1])
  })

  test('of failures leaves their number as it was', () => {
    const { shown, failed } = filterFacts(entries, { span: '5m', kinds: [], failedOnly: true }, now)
    expect([seqs(shown), seqs(failed)]).toEqual([[3], [3]])
  })

  test('reads kinds from an address, whatever stands there', () => {
    expect(parseKinds('jobs,tokens,nonsense,')).toEqual(['tokens', 'jobs'])
    expect(parseKinds('')).toEqual([])
  })
})

test('a sandbox in which nothing but a reset and the clock happened is empty', () => {
  const reset = fact(1, 0, 'sandbox.reset')
  expect(isEmpty([fact(2, 0, 'clock.changed'), reset])).toBe(true)
  expect(isEmpty([signIn(2), reset])).toBe(false)
})
