import { describe, expect, test } from 'vitest'
import { nearest, suggestion } from '../../../server/contract/suggestion.ts'

describe('suggestions', () => {
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
  ])('%j among %j has no suggestion', (name, candidates) => {
    expect(nearest(name, candidates)).toBeUndefined()
    expect(suggestion(name, candidates)).toBe('')
  })

  test.each([undefined, 7, ['alice'], { toString: '' }])('%j has no suggestion', (given) => {
    expect(suggestion(given, ['alice', '7'])).toBe('')
  })

  test('a long string has no suggestion', () => {
    const long = 'x'.repeat(1_000_000)
    expect(nearest(long, [long])).toBeUndefined()
    expect(nearest('alice', [long])).toBeUndefined()
  })

  test('only a limited number of names is compared', () => {
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
