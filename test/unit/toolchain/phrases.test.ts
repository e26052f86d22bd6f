import { expect, test } from 'vitest'
import { findPhrases } from '../../../server/tools/phrases.ts'

test('the check of words finds a phrase with its line and its replacement', () => {
  expect(findPhrases('const a = 1\n// Which faults are In Force.')).toEqual([
    { line: 2, phrase: 'in force', use: 'active' },
  ])
})

test('the check of words finds a phrase across the lines of a comment', () => {
  const found = findPhrases('/**\n * An option that cannot\n * be meant.\n */').map(
    ({ line }) => line,
  )
  expect(found).toEqual([2])
})

test('the check of words accepts longer words and "told apart"', () => {
  expect(findPhrases('They are told apart, in forced order.')).toEqual([])
})
