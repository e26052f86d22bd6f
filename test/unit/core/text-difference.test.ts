import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { differenceOf } from '../../../server/core/text-difference.ts'

/** `[-extra-]` and `{+missing+}` in one text. */
const shown = (sent: string, registered: string) =>
  differenceOf(sent, registered)
    .map(({ kind, text }) =>
      kind === 'same' ? text : kind === 'extra' ? `[-${text}-]` : `{+${text}+}`,
    )
    .join('')

describe('the difference of two texts', () => {
  test.each([
    ['http://localhost/callback/', 'http://localhost/callback', 'http://localhost/callback[-/-]'],
    ['http://localhost/calback', 'http://localhost/callback', 'http://localhost/cal{+l+}back'],
    ['http://a.example/cb', 'https://a.example/cb', 'http{+s+}://a.example/cb'],
    [
      'http://localhost/callbakc',
      'http://localhost/callback',
      'http://localhost/callba[-kc-]{+ck+}',
    ],
    [
      'http://localhost/elsewhere',
      'http://localhost/callback',
      'http://localhost/[-elsewhere-]{+callback+}',
    ],
    [
      'http://127.0.0.1/auth/callback?x=1',
      'http://localhost/auth/callback',
      'http://[-127.0.0.1-]{+localhost+}/auth/callback[-?x=1-]',
    ],
    ['', 'http://localhost', '{+http://localhost+}'],
    ['same', 'same', 'same'],
  ])('of %j and %j', (sent, registered, expected) => {
    expect(shown(sent, registered)).toBe(expected)
  })

  test('contains both texts, and never two parts of a kind beside each other', () => {
    const text = fc.oneof(fc.string({ maxLength: 400 }), fc.stringMatching(/^[ab/]{0,40}$/))
    fc.assert(
      fc.property(text, text, (sent, registered) => {
        const parts = differenceOf(sent, registered)
        const without = (kind: string) =>
          parts.map((part) => (part.kind === kind ? '' : part.text)).join('')
        expect(without('missing')).toBe(sent)
        expect(without('extra')).toBe(registered)
        expect(parts.every((part, index) => part.kind !== parts[index + 1]?.kind)).toBe(true)
        expect(parts.every((part) => part.text !== '')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('of long texts is found at once', () => {
    const long = 'a/'.repeat(50_000)
    const start = performance.now()
    expect(shown(`${long}x`, `${long}y`)).toBe(`${long}[-x-]{+y+}`)
    expect(differenceOf('a'.repeat(100_000), 'b'.repeat(100_000))).toHaveLength(2)
    expect(performance.now() - start).toBeLessThan(500)
  })
})
