import { expect, test } from 'vitest'
import {
  hasSpan,
  withoutSpan,
  withSpan,
} from '../../../renderer/features/deliveries/model/time-span.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')

test('puts limits in time into a filter in place of its own, and takes them out', () => {
  const limits = 'from:2026-01-01T00:00:00.000Z to:2026-01-01T00:00:01.000Z'
  expect(withSpan('', start + 0.4, start + 999.6)).toBe(limits)
  const text = withSpan('after:2020 corpus  to:2021 code:5xx', start, start + 1000)
  expect(text).toBe(`corpus code:5xx ${limits}`)
  expect(hasSpan(text)).toBe(true)
  expect(withoutSpan(text)).toBe('corpus code:5xx')
  expect(hasSpan('corpus code:5xx')).toBe(false)
})
