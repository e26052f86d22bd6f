import { describe, expect, test } from 'vitest'
import { nearest, suggestion } from '../../../server/core/suggestion.ts'

describe('the name that was meant', () => {
  test.each([
    ['alcie', ['bob', 'alice'], 'alice'],
    ['redirect_uris', ['redirectUris', 'redirectUri'], 'redirectUris'],
    ['repo.contnet', ['repo.config', 'repo.content'], 'repo.content'],
    ['ab', ['abc', 'abd'], 'abc'],
  ])('%s, among %j, is %s', (name, candidates, meant) => {
    expect(nearest(name, candidates)).toBe(meant)
    expect(suggestion(name, candidates)).toBe(` (did you mean "${meant}"?)`)
  })

  test.each([
    ['zoe', ['alice', 'bob']],
    ['a', []],
    ['', ['alice']],
  ])('%j, among %j, is none', (name, candidates) => {
    expect(nearest(name, candidates)).toBeUndefined()
    expect(suggestion(name, candidates)).toBe('')
  })

  test.each([undefined, 7, ['alice'], { toString: '' }])('%j is like no name', (given) => {
    expect(suggestion(given, ['alice', '7'])).toBe('')
  })

  test('is not searched for a text that no one mistypes', () => {
    const long = 'x'.repeat(1_000_000)
    expect(nearest(long, [long])).toBeUndefined()
    expect(nearest('alice', [long])).toBeUndefined()
  })

  test('is searched among as many as can be compared in a moment', () => {
    const beforeIt = (count: number) => [
      ...Array<string>(count).fill('a'.repeat(100)),
      'b'.repeat(100),
    ]
    const name = `${'b'.repeat(99)}c`
    expect(nearest(name, beforeIt(100))).toBe('b'.repeat(100))
    expect(nearest(name, beforeIt(100_000))).toBeUndefined()
    const effort = { left: 25_000 }
    expect(nearest(name, beforeIt(1), effort)).toBe('b'.repeat(100))
    expect(nearest(name, beforeIt(1), effort)).toBeUndefined()
  })
})
