import { expect, test } from 'vitest'
import type { ActiveOverrides } from '../../../server/contract/control-overrides.ts'
import { clockWords, overrideNotices } from '../../../renderer/shared/active-overrides-text.ts'

const now = Date.parse('2026-01-01T00:00:00.000Z')
const app = { clientId: 'c', name: 'Command line' }
const match = { route: '/oauth/token' }

const texts = (overrides: Partial<ActiveOverrides>, at = now) =>
  overrideNotices({ faults: [], barriers: [], devices: [], ...overrides }, at).map(
    ({ text }) => text,
  )

test('where nothing is in force, nothing is said', () => {
  expect(texts({})).toEqual([])
})

test('hits that are left are counted over all faults, unless one has no end', () => {
  const fault = { id: 'f', match, hits: 1 }
  expect(texts({ faults: [{ ...fault, left: 1 }] })).toEqual(['1 fault · 1 hit left'])
  expect(
    texts({
      faults: [
        { ...fault, left: 1 },
        { ...fault, left: 4 },
      ],
    }),
  ).toEqual(['2 faults · 5 hits left'])
  expect(texts({ faults: [{ ...fault, left: 1 }, fault] })).toEqual(['2 faults'])
})

test('a barrier says how many requests it holds, one that holds none too', () => {
  const barrier = { id: 'b', match, count: 3 }
  expect(texts({ barriers: [{ ...barrier, held: 0 }] })).toEqual(['1 barrier active'])
  expect(
    texts({
      barriers: [
        { ...barrier, held: 1 },
        { ...barrier, held: 2 },
      ],
    }),
  ).toEqual(['2 barriers holding 3 requests'])
})

test('a device stops waiting when its code ends, without being told', () => {
  const devices = [{ userCode: 'CDFG-HJKL', app, expiresAt: '2026-01-01T00:15:00.000Z' }]
  expect(texts({ devices })).toEqual(['1 device waiting'])
  expect(texts({ devices }, now + 15 * 60_000)).toEqual([])
})

test('no code of a device is in what stands in the title', () => {
  const devices = [{ userCode: 'CDFG-HJKL', app, expiresAt: '2026-01-01T00:15:00.000Z' }]
  const notices = overrideNotices({ faults: [], barriers: [], devices }, now)
  expect(JSON.stringify(notices)).not.toContain('CDFG')
})

test.each([
  [{ frozen: false, offsetMs: 999 }, []],
  [{ frozen: false, offsetMs: 7_200_000 }, ['+2h']],
  [{ frozen: false, offsetMs: -60_000 }, ['−1m']],
  [{ frozen: true, offsetMs: -60_000 }, ['frozen']],
])('a clock that reads %j', (reading, words) => {
  expect(clockWords({ now: '', ...reading })).toEqual(words)
})
