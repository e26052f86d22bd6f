import { describe, expect, test } from 'vitest'
import { filterWord, splitFilter } from '../../../server/contract/request-filter.ts'
import {
  chosenWords,
  holdsSecret,
  valueOf,
  withOffered,
  withValue,
} from '../../../renderer/features/requests/model/filter-words.ts'

describe('the words of a filter line', () => {
  test.each([
    ['status:4xx user:alice last 5m /oauth', ['status:4xx', 'user:alice', 'last 5m', '/oauth']],
    ['app:"Team Dashboard" x', ['app:"Team Dashboard"', 'x']],
    ['"two words', ['"two words']],
    ['app:"the ""A"" app" x', ['app:"the ""A"" app"', 'x']],
    ['last', ['last']],
    ['  ', []],
  ])('%s', (line, words) => {
    expect(splitFilter(line)).toEqual(words)
  })

  test('a value is one word again, whatever stands in it', () => {
    for (const value of [
      'alice',
      'Team Dashboard',
      'tab\there',
      '"',
      '""',
      'the "A" app',
      '"A" app',
    ]) {
      expect(splitFilter(`a ${filterWord('app', value)} b`)).toHaveLength(3)
      expect(valueOf(`a ${filterWord('app', value)} b`, 'app')).toBe(value)
    }
  })
})

describe('words that are clicked', () => {
  test('come to those that are typed, and go again', () => {
    const line = withOffered('/oauth user:bob', ['status:4xx'])
    expect(line).toBe('/oauth user:bob status:4xx')
    expect(chosenWords(line)).toEqual(['status:4xx'])
    expect(withOffered(line, [])).toBe('/oauth user:bob')
  })

  test('take the place of another of their key, typed ones too', () => {
    expect(withOffered('status:4xx x', ['status:4xx', 'status:5xx'])).toBe('x status:5xx')
    expect(withOffered('status:404 x', ['status:5xx'])).toBe('x status:5xx')
    expect(withOffered('last 5m', ['last 5m', 'last 1h'])).toBe('last 1h')
  })

  test('a user is chosen, changed and taken away', () => {
    const alice = withValue('/oauth', 'user', 'alice')
    expect(withValue(alice, 'user', 'bob')).toBe('/oauth user:bob')
    expect(withValue(alice, 'user', '')).toBe('/oauth')
  })
})

test('a token is seen, so that it never comes into an address', () => {
  expect(['hf_sandbox_alice', 'text:eyJhbGciOiJSUzI1NiJ9'].map(holdsSecret)).toEqual([true, true])
  expect(['/oauth', 'hf', 'user:alice'].map(holdsSecret)).toEqual([false, false, false])
})
