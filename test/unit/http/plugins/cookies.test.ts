import { describe, expect, test } from 'vitest'
import { formatCookie, readCookie } from '../../../../server/http/plugins/cookies.ts'

describe('cookies (RFC 6265)', () => {
  test.each([
    ['session=abc', 'abc'],
    ['a=b; session=abc; c=d', 'abc'],
    ['a=b;session=abc', 'abc'],
    ['session=abc=def', 'abc=def'],
    ['session=', ''],
    ['mysession=abc', undefined],
    ['session', undefined],
    ['=abc', undefined],
    ['', undefined],
  ])('reads %j', (cookie, value) => {
    expect(readCookie({ cookie }, 'session')).toBe(value)
  })

  test('reads nothing where none came', () => {
    expect(readCookie({}, 'session')).toBeUndefined()
  })

  test('writes what no script can read', () => {
    expect(formatCookie('a', 'b', { secure: false, sameSite: 'Lax' })).toBe(
      'a=b; Path=/; HttpOnly; SameSite=Lax',
    )
    expect(formatCookie('a', '', { maxAge: 0, secure: true, sameSite: 'Strict', path: '/x' })).toBe(
      'a=; Path=/x; HttpOnly; SameSite=Strict; Max-Age=0; Secure',
    )
  })
})
