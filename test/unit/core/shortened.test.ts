import { expect, test } from 'vitest'
import { Refusal } from '../../../server/core/refusal.ts'
import { shortened } from '../../../server/core/shortened.ts'

test('a string is shortened between characters and says how much is missing', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef')
  expect(shortened('abcdefg', 4)).toBe('abcd… (3 more characters)')
  expect(shortened('abc😀d', 4)).toBe('abc… (2 more characters)')
})

test('a refusal quotes a few KiB of what was sent, and names the first hundred mistakes', () => {
  const long = 'x'.repeat(1_000_000)
  const issues = Array.from({ length: 250 }, (_, index) => ({ path: `a[${index}]`, message: long }))
  const refusal = new Refusal('invalid', long, { detail: long, issues })
  expect(refusal.message).toHaveLength(4096 + '… (995904 more characters)'.length)
  expect(refusal.detail).toBe(refusal.message)
  expect(refusal.issues).toHaveLength(101)
  expect(refusal.issues[0]).toEqual({ path: 'a[0]', message: refusal.message })
  expect(refusal.issues.at(-1)).toEqual({ path: '', message: 'There are 150 more mistakes.' })
})
